import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    "https://pay.example.com/api/payment",
    headers={
        "Authorization": "Bearer " + os.environ["FLORIN_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "tx_ref": "order-1001",
        "amount": "20.00",
        "currency": "GBP",
        "email": "ada@example.com",
        "first_name": "Ada",
        "last_name": "Lovelace",
        "return_url": "https://shop.example.com/thanks",
    }).encode(),
)
try:
    answer = json.load(urllib.request.urlopen(request))
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["message"])
print(answer["data"]["checkout_url"])  # send the customer there
