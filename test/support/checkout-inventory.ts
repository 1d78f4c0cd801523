import { createHash } from 'node:crypto'
import { newLink } from './customer.ts'
import { call, type House } from './house.ts'

// What the page that takes cards serves: every header, script and style (PCI DSS 6.4.3 and 11.6.1). The committed
// list is src/checkout/inventory.json; a change of what is served fails a test until somebody has looked at it.

export type Inventory = {
  readonly page: string
  readonly headers: Record<string, string>
  readonly scripts: { address: string; integrity: string; why: string }[]
  readonly styles: { integrity: string; why: string }[]
  /** Inline scripts, event handlers, frames and foreign addresses. There are none, and none may come. */
  readonly others: string[]
}

// Different at each answer, or the connection's own.
const passing = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'x-request-id',
  'content-encoding',
  'transfer-encoding',
])

const why = {
  script:
    'Groups the card number, tells mistakes before they are sent, sends the form once and finds out what became of it. Written by us.',
  styles: [
    'The look that all pages share.',
    'The look of the checkout.',
    'The look of the shop’s own lines.',
  ],
}

export async function takeInventory(house: House): Promise<Inventory> {
  const link = await newLink(house)
  const { text, headers } = await call(link.url)
  const scripts = [...text.matchAll(/<script\b[^>]*\bsrc="([^"]*)"[^>]*>/g)].map((match) => match[1] ?? '')
  const styles = [...text.matchAll(/<style>([^]*?)<\/style>/g)].map((match) => match[1] ?? '')
  return {
    page: 'GET /payment/<digits>, with the card form',
    headers: Object.fromEntries([...headers].filter(([name]) => !passing.has(name))),
    scripts: await Promise.all(
      scripts.map(async (address) => ({
        address,
        integrity: digest('sha384', (await call(house.url + address)).text),
        why: why.script,
      })),
    ),
    styles: styles.map((style, index) => ({
      integrity: digest('sha256', style),
      why: why.styles[index] ?? 'Nobody knows.',
    })),
    others:
      text.match(
        /<script(?![^>]*\bsrc=)[^>]*>|<(iframe|object|embed|base)\b|\son\w+=|(src|href|action)="(https?:)?\/\/[^"]*/g,
      ) ?? [],
  }
}

function digest(algorithm: string, text: string): string {
  return `${algorithm}-${createHash(algorithm).update(text).digest('base64')}`
}
