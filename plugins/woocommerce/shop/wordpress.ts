import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// The shop as its owner's server sees it, through shop.php.

/** Has WordPress in `wordpress`. */
export const folder = resolve(process.argv[2] ?? '')
/** `tables` is WooCommerce's high-performance order storage. */
export type Storage = 'tables' | 'posts'
export const here = fileURLToPath(new URL('../', import.meta.url))

export async function wordpress<T>(command: string, given: object = {}): Promise<T> {
  const child = spawn('php', [join(here, 'shop/shop.php'), folder, command, JSON.stringify(given)])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((done) => child.on('close', done))
  assert.equal(code, 0, output)
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as T
}

export type Order = {
  id: number
  status: string
  total: string
  refunded: string
  refunds: number
  tx_ref: string
  transaction: string
  notes: string[]
  stock: number
  storage: string
  edit: string
  /** Where its customer pays it again. */
  pay: string
}
export const order = async (id?: number): Promise<Order> => wordpress('order', id === undefined ? {} : { id })
