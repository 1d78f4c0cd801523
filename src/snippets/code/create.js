const answer = await fetch('https://pay.example.com/api/payment', {
  method: 'POST',
  headers: {
    authorization: `Bearer ${process.env.FLORIN_KEY}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    tx_ref: 'order-1001',
    amount: '20.00',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    return_url: 'https://shop.example.com/thanks',
  }),
})
const { status, message, data } = await answer.json()
if (status !== 'success') throw new Error(message)
console.log(data.checkout_url) // send the customer there
