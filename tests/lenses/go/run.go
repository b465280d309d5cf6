// Runs lenses for go-redis. The argument is the port. A line of input is a lens,
// `lost-update/get-set`; a line of output says how it ended, in JSON. The test writes `lenses`, a
// table of functions by lens.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

func main() {
	ctx := context.Background()
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + os.Args[1]})
	// Longer than the lease that the test gives this lens: its watchdog has work to do.
	long := func(context.Context) { time.Sleep(900 * time.Millisecond) }
	given := map[reflect.Type]any{
		reflect.TypeFor[context.Context]():       ctx,
		reflect.TypeFor[*redis.Client]():         rdb,
		reflect.TypeFor[func()]():                func() { rdb.Incr(ctx, "worked") },
		reflect.TypeFor[func(context.Context)](): long,
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		lens := reflect.ValueOf(lenses[lines.Text()])
		words := []any{"lock", "me"}
		var values []reflect.Value
		for at := range lens.Type().NumIn() {
			value, known := given[lens.Type().In(at)]
			if !known {
				value, words = words[0], words[1:]
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
