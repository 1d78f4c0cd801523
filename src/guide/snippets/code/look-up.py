import json
import os
import urllib.error
import urllib.parse
import urllib.request

request = urllib.request.Request(
    "https://pay.example.com/api/transaction/" + urllib.parse.quote(os.environ["TX_REF"], safe=""),
    headers={"Authorization": "Bearer " + os.environ["FLORIN_KEY"]},
)
try:
    data = json.load(urllib.request.urlopen(request))["data"]
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["message"])  # the look-up failed
print(data["status"], data["amount_minor"], data["currency"])  # whether money moved, and how many pence
