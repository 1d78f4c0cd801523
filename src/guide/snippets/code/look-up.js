const answer = await fetch(
  `https://pay.example.com/api/transaction/${encodeURIComponent(process.env.TX_REF)}`,
  {
    headers: { authorization: `Bearer ${process.env.FLORIN_KEY}` },
  },
)
const { status, message, data } = await answer.json()
if (status !== 'success') throw new Error(message) // the look-up failed
console.log(data.status, data.amount_minor, data.currency) // whether money moved, and how many pence
