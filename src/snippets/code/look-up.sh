curl https://pay.example.com/api/transaction/order-1001 \
  -H "Authorization: Bearer $FLORIN_KEY"
