import { createServer } from 'node:http'
import { verifyNotification } from './verify.js'

const known = new Set() // a table with a unique column in your shop

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const rawBody = Buffer.concat(chunks)
  if (!verifyNotification(rawBody, request.headers, process.env.FLORIN_WEBHOOK_SECRET)) {
    return response.writeHead(401).end()
  }
  const id = request.headers['webhook-id']
  const isNew = !known.has(id)
  known.add(id) // remember it before you answer: what was answered is not sent again
  response.writeHead(204).end()
  if (!isNew) return

  const { event, tx_ref, amount_minor, currency } = JSON.parse(rawBody)
  if (event === 'payment.success') console.log('deliver', tx_ref, amount_minor, currency)
})
server.listen(process.env.PORT ?? 4000)
