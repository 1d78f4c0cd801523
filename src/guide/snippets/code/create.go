package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	txRef := fmt.Sprintf("order-%d", time.Now().UnixNano()) // your own reference, new for every payment
	body, _ := json.Marshal(map[string]any{
		"tx_ref":        txRef,
		"amount":        "1234.50",
		"currency":      "GBP",
		"email":         "ada@example.com",
		"first_name":    "Ada",
		"last_name":     "Lovelace",
		"return_url":    "https://shop.example.com/thanks",
		"customization": map[string]any{"title": "Order 1001", "description": "Two chairs"},
		"meta":          map[string]any{"cart": 7},
	})
	request, _ := http.NewRequest("POST", "https://pay.example.com/api/payment", bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("FLORIN_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Status  string
		Message string
		Data    struct {
			CheckoutURL string `json:"checkout_url"`
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	if answer.Status != "success" {
		log.Fatal(answer.Message)
	}
	fmt.Println(txRef, answer.Data.CheckoutURL) // send the customer there
}
