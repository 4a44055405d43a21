// Verifies deliveries as a receiver in Go does: JSON in, one verdict for each out.
package main

import (
	"encoding/json"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type delivery struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func verdict(sent delivery) string {
	webhook, err := standardwebhooks.NewWebhook(sent.Secret)
	if err != nil {
		return err.Error()
	}
	headers := http.Header{}
	for name, value := range sent.Headers {
		headers.Set(name, value)
	}
	if webhook.Verify([]byte(sent.Body), headers) != nil {
		return "refused"
	}
	return "valid"
}

func main() {
	var deliveries []delivery
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		panic(err)
	}
	verdicts := []string{}
	for _, sent := range deliveries {
		verdicts = append(verdicts, verdict(sent))
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}
