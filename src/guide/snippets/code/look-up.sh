curl "https://pay.example.com/api/transaction/$TX_REF" \
  -H "Authorization: Bearer $FLORIN_KEY"
