import { Florin } from 'florin-client'

const florin = new Florin(process.env.FLORIN_KEY, { baseUrl: 'https://pay.example.com' })
const payment = await florin.payments.get(process.env.TX_REF)
console.log(payment.status, payment.amount_minor, payment.currency) // whether money moved, and how many pence
