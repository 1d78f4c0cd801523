import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, styleFile } from '../../../../test/support/page-model.ts'
import { makePng } from '../../../../test/support/pictures.ts'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import { plainBrand, type Brand } from '../../merchants/brand/brand.ts'
import { checkPicture } from '../../merchants/pictures/check-picture.ts'
import type { Pictures } from '../../merchants/pictures/pictures.ts'
import { drawPaper } from '../receipt/draw-paper.ts'
import { makeSamples, type Sample } from './samples.ts'

const checked = checkPicture(makePng(120, 48))
assert.ok(checked.ok)
const { picture } = checked
const logoId = '0'.repeat(32)

function open() {
  const asked: unknown[] = []
  const byId = async (...question: unknown[]) => {
    asked.push(question)
    return picture
  }
  const samples = makeSamples({
    baseUrl: 'https://pay.example/florin/',
    styleFile,
    pictures: { byId } as unknown as Pictures,
    receiptFiles: { inTurn: async ({ paper, logo }) => drawPaper(paper, await logo?.read()) },
    now: () => new Date('2026-11-15T14:05:00Z'),
    networks: [
      { name: 'stripe', label: 'Stripe', methods: () => ['card'] },
      { name: 'paystack', label: 'Paystack', methods: () => [] },
      { name: 'paypal', label: 'PayPal', methods: (currency) => (currency === 'GBP' ? ['wallet'] : []) },
    ],
  })
  return { samples, asked }
}

function sampleOf(mode: Sample['mode'], brand: Partial<Brand> = {}, name = 'Corner shop'): Sample {
  return { mode, merchant: { id: 12_345_678, name, brand: { ...plainBrand, ...brand } } }
}

test('the sample checkout is the real page with its buttons disabled', () => {
  const { samples } = open()
  const page = samples.checkout(sampleOf('test'))
  const { text } = page.body
  assert.match(text, /^<div inert>[^]*<\/div>$/)
  assert.doesNotMatch(text, /<script/)
  assert.equal(page.head, undefined)
  const lines = linesOf(text)
  for (const line of [
    'Pay Corner shop',
    '£99.50',
    'Two walnut chairs',
    '2 × Walnut chair',
    '£90.00',
    '£9.50',
  ])
    assert.ok(lines.includes(line), `${line} in ${lines.join('\n')}`)
  assert.match(text, /action="\/florin\/payment\/12345678000000000000000000000000\/pay"/)
  assert.match(text, /<input\s+id="number"/)
})

test('a sample brings its QR code along, as no payment has it', () => {
  const { samples } = open()
  const { text } = samples.checkout(sampleOf('test')).body
  assert.match(text, /<img src="data:image\/svg\+xml;base64,[\w+/=]+"/)
  assert.doesNotMatch(text, /qr\.svg/)
})

test('a live sample offers what live customers get', () => {
  const { samples } = open()
  const { text } = samples.checkout(sampleOf('live')).body
  assert.doesNotMatch(text, /<input\s+id="number"/)
  const buttons = Array.from(
    text.matchAll(/<button[^>]*>([^]*?)<\/button>/g),
    ([, inner = '']) => linesOf(inner)[0],
  )
  assert.deepEqual(buttons.slice(0, 2), ['Pay £99.50 by card', 'Pay £99.50 with PayPal'])
})

test('a sample has its shop’s logo and first language', () => {
  const { samples } = open()
  const plain = samples.checkout(sampleOf('test'))
  assert.deepEqual([plain.language, plain.body.text.includes('/logo/')], ['en', false])
  const page = samples.checkout(sampleOf('test', { languages: ['de', 'fr'], logoId }))
  assert.equal(page.language, 'de')
  assert.match(page.body.text, /<img[^>]*src="\/florin\/logo\/12345678\/0{32}"/)
})

test('the sample receipt is a real one, with the logo if there is one', async () => {
  const { samples, asked } = open()
  const read = async (sample: Sample) => readPdf((await samples.receipt(sample)) ?? Buffer.alloc(0))
  const plain = await read(sampleOf('test'))
  const words = plain.texts.join('\n')
  for (const part of ['Corner shop', '£99.50', 'Visa', '4242', 'order-1042', 'Ada Lovelace'])
    assert.ok(words.includes(part), `${part} in ${words}`)
  assert.doesNotMatch(plain.source, /\/Subtype \/Image/)
  assert.deepEqual(asked, [])
  assert.match((await read(sampleOf('test', { logoId }))).source, /\/Subtype \/Image/)
  assert.deepEqual(asked, [[12_345_678, logoId]])
})

test('a shop whose name can’t be typeset has no sample receipt', async () => {
  const { samples } = open()
  assert.equal(await samples.receipt(sampleOf('test', {}, '株式会社')), undefined)
})
