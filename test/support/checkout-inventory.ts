import { createHash } from 'node:crypto'
import { newLink } from './customer.ts'
import { call, type House } from './house.ts'

// What the page that takes cards serves: every header, script and style (PCI DSS 6.4.3 and 11.6.1). The committed
// list is src/core/checkout/inventory.json; a change of what is served fails a test until somebody has looked at it.

export type Inventory = {
  readonly page: string
  readonly headers: Record<string, string>
  readonly scripts: { address: string; integrity: string; why: string }[]
  readonly styles: { address: string; integrity: string; why: string }[]
  /** Inline scripts and styles, event handlers, frames and foreign addresses. There are none, and none may come. */
  readonly others: string[]
}

// Different at each answer, or the connection's own.
const passing = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'x-request-id',
  'florin-version',
  'content-encoding',
  'transfer-encoding',
])

const why = {
  script:
    'Groups the card number, tells mistakes before they are sent, sends the form once and finds out what became of it. Written by us.',
  style: 'The look of the checkout. Written by us.',
}

export async function takeInventory(house: House): Promise<Inventory> {
  const link = await newLink(house)
  const { text, headers } = await call(link.url)
  const scripts = [...text.matchAll(/<script\b[^>]*\bsrc="([^"]*)"[^>]*>/g)].map((match) => match[1] ?? '')
  const styles = [...text.matchAll(/<link rel="stylesheet" href="([^"]*)">/g)].map((match) => match[1] ?? '')
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
    styles: await Promise.all(
      styles.map(async (address) => ({
        address,
        integrity: digest('sha384', (await call(house.url + address)).text),
        why: why.style,
      })),
    ),
    others:
      text.match(
        /<script(?![^>]*\bsrc=)[^>]*>|<style|<(iframe|object|embed|base)\b|\son\w+=|(src|href|action)="(https?:)?\/\/[^"]*/g,
      ) ?? [],
  }
}

function digest(algorithm: string, text: string): string {
  return `${algorithm}-${createHash(algorithm).update(text).digest('base64')}`
}
