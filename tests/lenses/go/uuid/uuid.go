// Package uuid stands in for Google's.
package uuid

import (
	"crypto/rand"
	"encoding/hex"
)

func NewString() string {
	bytes := make([]byte, 16)
	_, _ = rand.Read(bytes)
	return hex.EncodeToString(bytes)
}
