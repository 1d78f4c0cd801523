require "erb"
require "json"
require "net/http"

response = Net::HTTP.get_response(
  URI("https://pay.example.com/api/transaction/#{ERB::Util.url_encode(ENV.fetch("TX_REF"))}"),
  "Authorization" => "Bearer #{ENV.fetch("FLORIN_KEY")}"
)
answer = JSON.parse(response.body)
raise answer["message"] unless answer["status"] == "success" # the look-up failed

puts answer["data"].values_at("status", "amount_minor", "currency").join(" ") # whether money moved, and how many pence
