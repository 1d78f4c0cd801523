import hashlib
import hmac
import html
import json
import os
import re
import time

NAMES = ["secret_key", "tx_ref", "amount", "currency", "callback_url", "return_url"]
NAMES += ["title", "description", "logo", "meta", "project"]


def sign_form(fields: dict, secret: str) -> str:
    """fields: what stands in the form, by name, as text. Gives the value of form_signature."""
    lines = ["florin-form-v1"]
    items = ["items"] if fields.get("items") else []
    for name in NAMES + items + ["form_signed"] + fields.get("form_signed", "").split():
        value = fields.get(name, "").replace("\\", "\\\\")
        lines.append(name + "=" + re.sub(r"\r\n|\r|\n", r"\\n", value))
    return hmac.new(secret.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()


fields = {
    "secret_key": os.environ["FLORIN_FORM_KEY"],
    "tx_ref": f"order-{time.time_ns()}",
    "amount": "20.00",
    "currency": "GBP",
    "return_url": "https://shop.example.com/thanks",
    "title": "Order 1001",
    "meta": json.dumps({"cart": 7}),
    "email": "ada@example.com",  # not signed: the customer may correct them
    "first_name": "Ada",
}
fields["form_signature"] = sign_form(fields, os.environ["FLORIN_FORM_SECRET"])

print('<form method="post" action="https://pay.example.com/ext_transfer">')
for name, value in fields.items():
    print(f'  <input type="hidden" name="{name}" value="{html.escape(value)}" />')
print("  <button>Pay</button>\n</form>")
