import json
import os
import time
import urllib.error
import urllib.request

tx_ref = f"order-{time.time_ns()}"  # your own reference, new for every payment
request = urllib.request.Request(
    "https://pay.example.com/api/payment",
    headers={
        "Authorization": "Bearer " + os.environ["FLORIN_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "tx_ref": tx_ref,
        "amount": "1234.50",
        "currency": "GBP",
        "email": "ada@example.com",
        "first_name": "Ada",
        "last_name": "Lovelace",
        "return_url": "https://shop.example.com/thanks",
        "customization": {"title": "Order 1001", "description": "Two chairs"},
        "meta": {"cart": 7},
    }).encode(),
)
try:
    answer = json.load(urllib.request.urlopen(request))
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["message"])
print(tx_ref, answer["data"]["checkout_url"])  # send the customer there
