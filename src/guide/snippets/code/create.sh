TX_REF="order-$(date +%s)"
curl https://pay.example.com/api/payment \
  -H "Authorization: Bearer $FLORIN_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "tx_ref": "'"$TX_REF"'",
    "amount": "1234.50",
    "currency": "GBP",
    "email": "ada@example.com",
    "first_name": "Ada",
    "last_name": "Lovelace",
    "return_url": "https://shop.example.com/thanks",
    "customization": { "title": "Order 1001", "description": "Two chairs" },
    "meta": { "cart": 7 }
  }'
