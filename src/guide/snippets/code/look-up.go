package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
)

func main() {
	address := "https://pay.example.com/api/transaction/" + url.PathEscape(os.Getenv("TX_REF"))
	request, _ := http.NewRequest("GET", address, nil)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("FLORIN_KEY"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Status  string
		Message string
		Data    struct {
			Status      string
			AmountMinor int64 `json:"amount_minor"`
			Currency    string
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	if answer.Status != "success" {
		log.Fatal(answer.Message) // the look-up failed
	}
	fmt.Println(answer.Data.Status, answer.Data.AmountMinor, answer.Data.Currency) // whether money moved, and how many pence
}
