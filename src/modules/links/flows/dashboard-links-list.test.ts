import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { linkState, linkStates } from '../link-state.ts'
import { findLink, insertLink } from '../store.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { signedIn, type Visitor } from '../../../../test/support/visitor.ts'

// The list of links: what is looked for stands in the address, and goes with the pages.

let house: House
let viewer: Visitor

before(async () => {
  house = await openHouse()
  viewer = await signedIn(house, { role: 'viewer' })
})
after(() => house.close())

const links = (query = ''): string => `/dashboard/${house.merchantId}/test/links${query}`

type Given = {
  title: string
  kind?: 'single' | 'reusable'
  mode?: 'test' | 'live'
  stock?: number
  taken?: number
  paid?: number
  isPaused?: boolean
  hasEnded?: boolean
}

let count = 0

async function insert(given: Given): Promise<string> {
  count += 1
  const id = `lnk_${String(count).padStart(16, '0')}`
  const link = {
    id,
    mode: given.mode ?? 'test',
    kind: given.kind ?? 'reusable',
    asks_customer: true,
    title: given.title,
    description: null,
    currency: 'GBP',
    amount_minor: 1_000n,
    least_minor: null,
    most_minor: null,
    stock: given.kind === 'single' ? 1 : (given.stock ?? null),
    ends_at: given.hasEnded ? new Date('2026-01-02') : null,
  } as const
  await inTransaction(house.db, (tx) =>
    insertLink(tx, house.merchantId, link, new Date(Date.parse('2026-01-01') + count * 1000)),
  )
  await house.db.query(sql`
    update links set taken = ${given.taken ?? given.paid ?? 0}, paid = ${given.paid ?? 0},
      paused_at = ${given.isPaused ? new Date('2026-01-02') : null}
    where merchant_id = ${house.merchantId} and id = ${id}`)
  return id
}

/** The names in the list, in its order. */
async function titlesAt(path: string): Promise<string[]> {
  const { status, text } = await viewer.get(path)
  assert.equal(status, 200)
  return [...text.matchAll(/<a class="row"[^>]*><span class="short" title="([^"]*)"/g)].map(
    (match) => match[1] ?? '',
  )
}

function olderIn(text: string): string | undefined {
  return /href="([^"]+)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&')
}

test('links are found by the state their own pages show, by kind and by any part of the name', async () => {
  const ids = [
    await insert({ title: 'Open for all' }),
    await insert({ title: 'Tickets 100%', stock: 5, taken: 2, paid: 1 }),
    await insert({ title: 'Paused fair', isPaused: true }),
    await insert({ title: 'Paused and ended', isPaused: true, hasEnded: true }),
    await insert({ title: 'Summer_sale', hasEnded: true }),
    await insert({ title: 'Last one', stock: 1, taken: 1 }),
    await insert({ title: 'Sold and paused', stock: 2, paid: 2, isPaused: true }),
    await insert({ title: 'Invoice 7', kind: 'single', paid: 1 }),
    await insert({ title: 'Invoice 8', kind: 'single' }),
    await insert({ title: 'CAFÉ <b>', kind: 'single', taken: 1 }),
  ]
  await insert({ title: 'Live one', mode: 'live' })
  const rows = (await Promise.all(ids.map((id) => findLink(house.db, house.merchantId, id)))).flatMap(
    (row) => row ?? [],
  )
  for (const state of linkStates) {
    const expected = rows.filter((row) => linkState(row, new Date()) === state).map(({ title }) => title)
    assert.ok(expected.length > 0, state)
    const shown = await titlesAt(links(`?state=${state}`))
    assert.deepEqual(shown, expected.toReversed().map(escaped), state)
  }
  const singles = ['CAFÉ <b>', 'Invoice 8', 'Invoice 7'].map(escaped)
  assert.deepEqual(await titlesAt(links('?kind=single')), singles)
  assert.deepEqual(await titlesAt(links('?kind=single&state=sold_out')), ['Invoice 7'])
  assert.deepEqual(await titlesAt(links('?search=INVOICE')), ['Invoice 8', 'Invoice 7'])
  assert.deepEqual(await titlesAt(links('?search=%25')), ['Tickets 100%'])
  assert.deepEqual(await titlesAt(links('?search=_')), ['Summer_sale'])
  assert.deepEqual(await titlesAt(links('?search=caf%C3%89&kind=single')), singles.slice(0, 1))
  assert.deepEqual(await titlesAt(links('?search=live+one')), [])
})

const escaped = (text: string): string =>
  text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('É', '&#201;')

test('the search stays in the form and the URL of older pages; invalid filters are dropped', async () => {
  for (let number = 0; number < 30; number += 1) {
    await insert({ title: `Stall ${number}`, kind: 'single' })
    await insert({ title: `Stand ${number}` })
  }
  const query = '?search=stall&kind=single&state=open'
  const first = await viewer.get(links(query))
  assert.match(first.text, /id="search"[^>]*value="stall"/)
  assert.match(first.text, /<option value="single" selected>/)
  assert.match(first.text, /<option value="open" selected>/)
  assert.match(first.text, new RegExp(`href="${links()}">Clear`))
  const older = olderIn(first.text) ?? assert.fail('there is an older page')
  assert.match(older, /search=stall&state=open&kind=single&cursor=/)
  const seen = [...(await titlesAt(links(query))), ...(await titlesAt(older))]
  const all = Array.from({ length: 30 }, (_, place) => `Stall ${29 - place}`)
  assert.deepEqual(seen, all)
  assert.equal(olderIn((await viewer.get(older)).text), undefined)

  const nothing = (await viewer.get(links('?search=unheard'))).text
  assert.match(nothing, /No matching links/)
  assert.doesNotMatch(nothing, /No links yet/)
  const newest = await titlesAt(links())
  for (const odd of ['?state=nonsense', '?kind=toString', `?search=${'x'.repeat(101)}`, '?search=%00'])
    assert.deepEqual(await titlesAt(links(odd)), newest, odd)
})
