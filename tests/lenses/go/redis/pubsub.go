package redis

import "context"

type Subscription struct {
	Kind    string
	Channel string
	Count   int
}

type Message struct {
	Channel      string
	Pattern      string
	Payload      string
	PayloadSlice []string
}

type channel struct{}

type ChannelOption func(c *channel)

// PubSub has a connection of its own. It does not connect again, as the library's does.
type PubSub struct {
	w   *wire
	all chan any
}

func (c *Client) Subscribe(ctx context.Context, channels ...string) *PubSub {
	words := []any{"SUBSCRIBE"}
	for _, channel := range channels {
		words = append(words, channel)
	}
	p := &PubSub{dial(c.address), make(chan any, 100)}
	reply, err := p.w.call(ctx, words...)
	go func() {
		for ; err == nil; reply, err = p.w.reply() {
			p.all <- message(reply.([]any))
		}
		close(p.all)
	}()
	return p
}

func message(reply []any) any {
	channel := reply[1].(string)
	if payload, is := reply[2].(string); is {
		return &Message{Channel: channel, Payload: payload}
	}
	return &Subscription{reply[0].(string), channel, int(reply[2].(int64))}
}

func (p *PubSub) ChannelWithSubscriptions(...ChannelOption) <-chan any { return p.all }

func (p *PubSub) Close() error { return p.w.Close() }
