package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	body, _ := json.Marshal(map[string]any{
		"tx_ref":     "order-1001",
		"amount":     "20.00",
		"currency":   "GBP",
		"email":      "ada@example.com",
		"first_name": "Ada",
		"last_name":  "Lovelace",
		"return_url": "https://shop.example.com/thanks",
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
	fmt.Println(answer.Data.CheckoutURL) // send the customer there
}
