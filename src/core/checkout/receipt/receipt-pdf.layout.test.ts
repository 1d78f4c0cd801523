import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePageModel, type ModelChanges } from '../../../../test/support/page-model.ts'
import { makePng } from '../../../../test/support/pictures.ts'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import { checkPicture } from '../../merchants/pictures/check-picture.ts'
import type { Picture } from '../../merchants/pictures/pictures.ts'
import { writeItems } from '../../payments/items.ts'
import { drawPaper } from './draw-paper.ts'
import { receiptPaper } from './receipt-pdf.ts'

const items = [
  { name: 'Chair', quantity: 2, unitMinor: 50_000n, taxRate: '20' },
  {
    name: 'A table of oak with room for twelve guests and a drawer for the forks, delivered on Thursday',
    quantity: 1,
    unitMinor: 23_450n,
    taxRate: undefined,
  },
  { name: '🪑', quantity: 1, unitMinor: 0n, taxRate: undefined },
]

const brand = {
  address: ['1 High Street', 'London'],
  companyNumber: '12',
  vatNumber: 'GB1',
  supportEmail: 'help@shop.example',
  website: 'https://shop.example',
}

test('lines separate the header, the items and the result', async () => {
  const rulesOf = async (changes: ModelChanges): Promise<number> =>
    readPdf(await drawPaper(receiptPaper(makePageModel(changes)))).rules
  assert.equal(await rulesOf({}), 2)
  assert.equal(await rulesOf({ items: writeItems(items) }), 3)
})

async function pagesOf(changes: ModelChanges, logo?: Picture): Promise<string[][]> {
  return readPdf(await drawPaper(receiptPaper(makePageModel(changes)), logo)).placed
}

function pictureOf(width: number, height: number): Picture {
  const checked = checkPicture(makePng(width, height))
  assert.ok(checked.ok)
  return checked.picture
}

test('every line of a receipt is in its place, below the logo, with amounts right-aligned', async () => {
  const [page] = await pagesOf({ items: writeItems(items), brand, state: 'reversed' }, pictureOf(320, 60))
  assert.deepEqual(page, [
    '72 718 15 Corner shop',
    '72 686 11 Receipt',
    '72 642 34 £1,234.50',
    '473 586 11 £1,000.00',
    '72 586 11 2 × Chair',
    '482 568 11 £234.50',
    '72 568 11 A table of oak with room for twelve guests and a drawer for the',
    '72 552 11 forks, delivered on Thursday',
    '495 534 11 £0.00',
    '473 516 11 £1,234.50',
    '72 516 11 Total',
    '482 498 11 £166.67',
    '72 498 11 Includes VAT at 20%',
    '72 454 11 Paid to',
    '220 454 11 Corner shop',
    '72 430 11 For',
    '220 430 11 Two chairs (oak)',
    '72 406 11 Paid by',
    '220 406 11 Ada Lovelace',
    '72 382 11 Date',
    '220 382 11 15 November 2026, 14:05 UTC',
    '72 358 11 Order reference',
    '220 358 11 order-1',
    '72 334 11 Reference',
    '220 334 11 FL123',
    '72 288 11 Payment reversed. Your bank has taken this payment back from Corner shop. Ask',
    '72 272 11 your bank when the money reaches your account.',
    '72 256 11 Test payment. No money was taken.',
    '72 232 9 1 High Street, London',
    '72 216 9 Company number 12 · VAT number GB1',
    '72 200 9 help@shop.example · https://shop.example',
  ])
})

test('a logo is never enlarged, fits the letterhead and keeps its proportions', async () => {
  const roomFor = async (width: number, height: number): Promise<number> => {
    const [[name = ''] = []] = await pagesOf({}, pictureOf(width, height))
    return 748 - Number(name.split(' ')[1])
  }
  assert.equal(await roomFor(40, 20), 20)
  assert.equal(await roomFor(160, 48), 48)
  assert.equal(await roomFor(320, 48), 24)
  assert.equal(await roomFor(100, 96), 48)
})

test('a name of several lines pushes down what follows', async () => {
  const [[first, second, receipt] = []] = await pagesOf({
    merchant: 'Sons and daughters of '.repeat(3).trim(),
  })
  assert.deepEqual(
    [first, second, receipt].map((line) => line?.split(' ').slice(0, 3).join(' ')),
    ['72 748 15', '72 728 15', '72 696 11'],
  )
})

/** Where a line stands, and what it says. */
function readPlace(line: string): { readonly y: number; readonly text: string } {
  const [, y, , ...words] = line.split(' ')
  return { y: Number(y), text: words.join(' ') }
}

test('nothing runs below the margin however many items there are, and an item stays with its amount', async () => {
  for (const count of [12, 60]) {
    const many = Array.from({ length: count }, (_, index) => ({
      name: `Chair ${index} ${'of oak '.repeat(index % 2 === 0 ? 1 : 30)}`.trim(),
      quantity: 1,
      unitMinor: BigInt(index + 1),
      taxRate: undefined,
    }))
    const pages = (await pagesOf({ items: writeItems(many), brand })).map((page) => page.map(readPlace))
    for (const { y, text } of pages.flat()) assert.ok(y > 72 && y <= 748, `${count}: ${text} at ${y}`)
    const amounts = pages.flatMap((page) =>
      page.filter((line, at) => page[at + 1]?.text.startsWith('Chair ') && page[at + 1]?.y === line.y),
    )
    assert.equal(amounts.length, count)
    const said = pages.flat().map(({ text }) => text)
    assert.ok(said.includes('Order reference') && said.at(-1) === 'help@shop.example · https://shop.example')
  }
})

test('text below the details moves to the next page as whole lines when there is no room', async () => {
  for (const count of [14, 16, 18, 20]) {
    const many = Array.from({ length: count }, () => ({ ...items[0]!, taxRate: undefined }))
    const pages = await pagesOf({ items: writeItems(many), brand })
    for (const { y, text } of pages.flat().map(readPlace)) assert.ok(y >= 72, `${count}: ${text} at ${y}`)
  }
})

test('a detail with a long value stays on one page with its label', async () => {
  for (const count of [18, 20, 21, 22, 23, 24, 25]) {
    const many = Array.from({ length: count }, () => ({
      name: 'Chair',
      quantity: 1,
      unitMinor: 1n,
      taxRate: undefined,
    }))
    const pages = await pagesOf({
      items: writeItems(many),
      title: 'a fine chair '.repeat(20).trim(),
    })
    const page = pages
      .map((lines) => lines.map(readPlace))
      .find((lines) => lines.some(({ text }) => text === 'For'))
    const label = page?.findIndex(({ text }) => text === 'For') ?? -1
    const lines = page?.slice(label + 1).filter(({ text }) => text.includes('chair')) ?? []
    assert.equal(lines.map(({ text }) => text).join(' '), 'a fine chair '.repeat(20).trim(), `${count} items`)
    assert.ok(lines.every(({ y, text }) => y >= 72 && text.length < 65))
  }
})

test('on a right-to-left page our sentences follow the page, and quoted text keeps its own direction', async () => {
  const [page = []] = await pagesOf({
    code: 'ar',
    title: 'Two chairs!',
    attempt: { cardBrand: 'Visa', cardLast4: '4242' },
  })
  const said = page.map((line) => readPlace(line).text)
  assert.ok(said.includes('Two chairs!'))
  assert.ok(said.indexOf('4242') < said.indexOf('Visa'))
})
