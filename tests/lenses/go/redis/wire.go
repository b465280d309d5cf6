package redis

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
)

// wire is a connection, made by its first command: commands out, replies in (RESP2).
type wire struct {
	sync.Mutex
	net.Conn
	address string
	in      *bufio.Reader
}

func dial(address string) *wire { return &wire{address: address} }

func (w *wire) Close() error {
	if w.Conn == nil {
		return nil
	}
	return w.Conn.Close()
}

// call gives a string, an int64, or a list of them; Nil is an error, as the library has it.
func (w *wire) call(ctx context.Context, words ...any) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.Lock()
	defer w.Unlock()
	if w.Conn == nil {
		conn, err := net.Dial("tcp", w.address)
		if err != nil {
			return nil, err
		}
		w.Conn, w.in = conn, bufio.NewReader(conn)
	}
	out := fmt.Sprintf("*%d\r\n", len(words))
	for _, word := range words {
		text := fmt.Sprint(word)
		out += fmt.Sprintf("$%d\r\n%s\r\n", len(text), text)
	}
	if _, err := io.WriteString(w, out); err != nil {
		return nil, err
	}
	return w.reply()
}

func (w *wire) reply() (any, error) {
	line, err := w.in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	kind, rest := line[0], line[1:len(line)-2]
	if kind == '+' {
		return rest, nil
	}
	if kind == '-' {
		return nil, errors.New(rest)
	}
	number, err := strconv.ParseInt(rest, 10, 64)
	if err != nil || kind == ':' {
		return number, err
	}
	if number < 0 {
		return nil, Nil
	}
	if kind == '$' {
		bytes := make([]byte, number+2)
		_, err := io.ReadFull(w.in, bytes)
		return string(bytes[:number]), err
	}
	all := make([]any, number)
	for at := range all {
		if all[at], err = w.reply(); err != nil && err != Nil {
			return nil, err
		}
	}
	return all, nil
}
