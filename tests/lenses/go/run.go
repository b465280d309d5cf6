// Runs lenses for go-redis. The argument is the port. A line of input is a lens and options,
// `lost-update/get-set work_ms=2`; a line of output says how it ended, in JSON. The test writes
// `lenses`, a table of functions by lens.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

func client(port string) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + port})
}

func main() {
	ctx := context.Background()
	rdb := client(os.Args[1])
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		options := map[string]string{}
		for _, word := range words[1:] {
			key, value, _ := strings.Cut(word, "=")
			options[key] = value
		}
		ms, _ := strconv.Atoi(options["work_ms"])
		load := func(context.Context) (int64, error) {
			worked, err := rdb.Incr(ctx, "worked").Result()
			time.Sleep(time.Duration(ms) * time.Millisecond)
			return worked, err
		}
		work := func() { _, _ = load(ctx) }
		send := func(context.Context, string) error { work(); return nil }
		var nodes []*redis.Client
		for _, port := range strings.Split(options["ports"], ",") {
			nodes = append(nodes, client(port))
		}
		given := map[reflect.Type]any{
			reflect.TypeFor[context.Context]():       ctx,
			reflect.TypeFor[*redis.Client]():         rdb,
			reflect.TypeFor[[]*redis.Client]():       nodes,
			reflect.TypeFor[func()]():                work,
			reflect.TypeFor[func(context.Context)](): func(context.Context) { work() },
			reflect.TypeOf(load):                     load,
			reflect.TypeOf(send):                     send,
			reflect.TypeFor[*sql.DB]():               sql.OpenDB(&database{rdb: rdb, work: work}),
		}
		texts := []string{"lock", "me"}
		if options["given"] != "" {
			texts = strings.Split(options["given"], ",")
		}
		lens := reflect.ValueOf(lenses[words[0]])
		var values []reflect.Value
		for at := range lens.Type().NumIn() {
			value, known := given[lens.Type().In(at)]
			if !known {
				value, texts = texts[0], texts[1:]
			}
			values = append(values, reflect.ValueOf(value))
		}
		ended := map[string]any{}
		for _, result := range lens.Call(values) {
			if result.Type() != reflect.TypeFor[error]() {
				ended["value"] = result.Interface()
			} else if !result.IsNil() {
				ended["error"] = strings.TrimSpace(fmt.Sprint(result.Interface()))
			}
		}
		line, _ := json.Marshal(ended)
		fmt.Println(string(line))
	}
}
