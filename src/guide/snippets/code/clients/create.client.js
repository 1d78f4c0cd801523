import { Florin } from 'florin-client'

const florin = new Florin(process.env.FLORIN_KEY, { baseUrl: 'https://pay.example.com' })
const txRef = `order-${Date.now()}` // your own reference, new for every payment
const { checkout_url } = await florin.payments.create({
  tx_ref: txRef,
  amount_minor: 123_450, // £1,234.50 in pence
  currency: 'GBP',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  return_url: 'https://shop.example.com/thanks',
  customization: { title: 'Order 1001', description: 'Two chairs' },
  meta: { cart: 7 },
})
console.log(txRef, checkout_url) // send the customer there
