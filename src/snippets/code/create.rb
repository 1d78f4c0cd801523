require "json"
require "net/http"

response = Net::HTTP.post(
  URI("https://pay.example.com/api/payment"),
  {
    tx_ref: "order-1001",
    amount: "20.00",
    currency: "GBP",
    email: "ada@example.com",
    first_name: "Ada",
    last_name: "Lovelace",
    return_url: "https://shop.example.com/thanks"
  }.to_json,
  "Authorization" => "Bearer #{ENV.fetch("FLORIN_KEY")}",
  "Content-Type" => "application/json"
)
answer = JSON.parse(response.body)
raise answer["message"] unless answer["status"] == "success"

puts answer["data"]["checkout_url"] # send the customer there
