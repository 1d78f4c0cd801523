const txRef = `order-${Date.now()}` // your own reference, new for every payment
const answer = await fetch('https://pay.example.com/api/payment', {
  method: 'POST',
  headers: {
    authorization: `Bearer ${process.env.FLORIN_KEY}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    tx_ref: txRef,
    amount: '1234.50',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    return_url: 'https://shop.example.com/thanks',
    customization: { title: 'Order 1001', description: 'Two chairs' },
    meta: { cart: 7 },
  }),
})
const { status, message, data } = await answer.json()
if (status !== 'success') throw new Error(message)
console.log(txRef, data.checkout_url) // send the customer there
