curl https://pay.example.com/api/payment \
  -H "Authorization: Bearer $FLORIN_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "tx_ref": "order-1001",
    "amount": "20.00",
    "currency": "GBP",
    "email": "ada@example.com",
    "first_name": "Ada",
    "last_name": "Lovelace",
    "return_url": "https://shop.example.com/thanks"
  }'
