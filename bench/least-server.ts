import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { readFileSync } from 'node:fs'
import { json } from 'node:stream/consumers'
import pg from 'pg'
import type { Sample } from './measure.ts'
import { insert } from './row-by-row.ts'

// The least that a server can do: it asks nobody who they are, checks nothing, writes no log and no metric. One statement a
// request, over the driver that Florin uses, and an answer of as many bytes as Florin's.

export type LeastPlan = {
  readonly port: number
  readonly databaseUrl: string
  readonly merchantIds: readonly number[]
  readonly created: Sample
  readonly found: Sample
}

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LeastPlan
const pool = new pg.Pool({ connectionString: plan.databaseUrl, max: 20 })

/** As merchantAt() shares them out. */
function ownerOf(reference: string): number | undefined {
  return plan.merchantIds[Number(reference.split('-').at(-1)) % plan.merchantIds.length]
}

const digits = (): string => String(randomInt(10 ** 12)).padStart(12, '0')

async function create(request: IncomingMessage): Promise<void> {
  const { tx_ref: txRef } = (await json(request)) as { tx_ref: string }
  const values = [ownerOf(txRef), digits() + digits(), txRef]
  await pool.query({ name: 'create', text: insert('$1', '$2', '$3'), values })
}

async function find(path: string): Promise<void> {
  const txRef = path.split('/').at(-1) ?? ''
  const text = `select * from payments where merchant_id = $1 and mode = 'test' and tx_ref = $2`
  const values = [ownerOf(txRef), txRef]
  const { rowCount } = await pool.query({ name: 'find', text, values })
  if (rowCount !== 1) throw new Error(`There is no payment ${path}`)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isCreate = request.method === 'POST'
  await (isCreate ? create(request) : find(request.url ?? ''))
  const { headers, body } = isCreate ? plan.created : plan.found
  response.writeHead(isCreate ? 201 : 200, headers)
  response.end(body)
}

createServer((request, response) => void answer(request, response)).listen(
  { port: plan.port, host: '127.0.0.1', reusePort: true },
  () => process.stdout.write('ready'),
)
