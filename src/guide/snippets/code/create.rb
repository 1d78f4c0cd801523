require "json"
require "net/http"

tx_ref = "order-#{Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)}" # your own reference, new for every payment
response = Net::HTTP.post(
  URI("https://pay.example.com/api/payment"),
  {
    tx_ref: tx_ref,
    amount: "1234.50",
    currency: "GBP",
    email: "ada@example.com",
    first_name: "Ada",
    last_name: "Lovelace",
    return_url: "https://shop.example.com/thanks",
    customization: { title: "Order 1001", description: "Two chairs" },
    meta: { cart: 7 }
  }.to_json,
  "Authorization" => "Bearer #{ENV.fetch("FLORIN_KEY")}",
  "Content-Type" => "application/json"
)
answer = JSON.parse(response.body)
raise answer["message"] unless answer["status"] == "success"

puts "#{tx_ref} #{answer["data"]["checkout_url"]}" # send the customer there
