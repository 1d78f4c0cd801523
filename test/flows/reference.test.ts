import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inGroups, testCards } from '../../src/core/test-network/cards.ts'
import { refusalCodes } from '../../src/platform/errors/refusals.ts'
import { events } from '../../src/app/modules.ts'
import { paymentStates } from '../../src/core/payments/state-machine.ts'
import { allOperations } from '../../src/app/operations.ts'
import { call, openHouse, type House } from '../support/house.ts'

// The guide at /docs, as a browser without a script sees it.

let house: House
const pages = new Map<string, string>()
const sizeMax = 100_000

before(async () => {
  house = await openHouse()
  const paths = ['/docs']
  for (const path of paths) {
    const answer = await call(house.url + path)
    assert.equal(answer.status, 200, path)
    pages.set(path, answer.text)
    const found = [...answer.text.matchAll(/href="(\/docs[^"#?.]*)["#?]/g)].map((match) => match[1] ?? '')
    for (const next of found) if (!paths.includes(next)) paths.push(next)
  }
})
after(() => house.close())

test('the guide has a chapter for everything a developer asks', () => {
  assert.deepEqual([...pages.keys()].toSorted(), [
    '/docs',
    '/docs/disputes',
    '/docs/endpoints',
    '/docs/errors',
    '/docs/form',
    '/docs/live',
    '/docs/moving',
    '/docs/notifications',
    '/docs/payments',
    '/docs/payouts',
    '/docs/projects',
    '/docs/refunds',
    '/docs/saved-methods',
    '/docs/testing',
  ])
})

test('no link is broken, and no two elements of a page share an id', async () => {
  for (const [path, text] of pages) {
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map((match) => match[1])
    assert.equal(
      new Set(ids).size,
      ids.length,
      `${path}: ${ids.filter((id, at) => ids.indexOf(id) !== at).join()}`,
    )
    for (const [, address = ''] of text.matchAll(/href="([^"]*)"/g)) {
      if (!/^[/#]/.test(address)) continue
      if (/\.(json|zip)$/.test(address)) {
        assert.equal((await call(house.url + address)).status, 200, address)
        continue
      }
      const [chapter, anchor] = address.split('#')
      const target = pages.get(chapter || path)
      assert.ok(target !== undefined, `${path} leads to ${address}`)
      if (anchor !== undefined) assert.ok(target.includes(` id="${anchor}"`), `${path} leads to ${address}`)
    }
  }
})

test('every operation, event, code, state and card is in the guide', () => {
  const all = [...pages.values()].join('')
  for (const { id } of allOperations(house.url)) assert.ok(all.includes(` id="${id}"`), id)
  for (const { name } of events) assert.ok(pages.get('/docs/notifications')?.includes(name), name)
  for (const { code } of refusalCodes()) assert.ok(pages.get('/docs/errors')?.includes(` id="${code}"`), code)
  for (const state of paymentStates)
    assert.ok(pages.get('/docs/payments')?.includes(`<code>${state}</code>`), state)
  for (const card of testCards) assert.ok(pages.get('/docs/testing')?.includes(inGroups(card)), card.number)
})

test('nested fields are shown', () => {
  const payments = pages.get('/docs/payments') ?? ''
  const customization = payments.slice(payments.indexOf('<code>customization</code>'))
  assert.match(
    customization.slice(0, 1200),
    /<dl class="fields">[^]*<code>title<\/code>[^]*<code>logo<\/code>/,
  )
})

test('the guide is self-contained and light: one script of ours, nothing inline, nothing from elsewhere', async () => {
  const script = /<script\s+type="module"\s+src="([^"]*)"/.exec(pages.get('/docs') ?? '')?.[1] ?? ''
  const code = await call(house.url + script)
  assert.match(code.headers.get('content-type') ?? '', /^text\/javascript/)
  assert.match(code.headers.get('cache-control') ?? '', /immutable/)
  for (const path of pages.keys()) {
    const { text, headers } = await call(house.url + path)
    assert.ok(
      text.length + code.text.length < sizeMax,
      `${path} and its script are ${text.length + code.text.length}`,
    )
    assert.equal(text.match(/<script/g)?.length, 1)
    assert.doesNotMatch(text, /<img|<link rel="stylesheet"|<iframe|\son\w+="|style="/)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'.*script-src 'self';/)
    assert.doesNotMatch(policy, /unsafe/)
  }
})

test('a search finds what is meant, and the input stays text', async () => {
  const search = async (words: string): Promise<string> =>
    (await call(`${house.url}/docs/search?q=${encodeURIComponent(words)}`)).text
  const first = async (words: string): Promise<string | undefined> =>
    /<ol class="results">\s*<li>\s*<a href="([^"]*)"/.exec(await search(words))?.[1]
  assert.equal(await first('verify signature'), '/docs/notifications#verify')
  assert.equal(await first('4000 0000 0000 9995'), '/docs/testing#cards')
  assert.equal(await first('tx_ref_taken'), '/docs/errors#tx_ref_taken')
  assert.equal(await first('CANCEL'), '/docs/payments#cancelTransaction')
  assert.match(await search('no such thing anywhere'), /Nothing in the guide/)
  assert.match(await search(''), /Type a word/)
  assert.doesNotMatch(await search('"><script>alert(1)</script>'), /<script>alert/)
  assert.equal((await call(`${house.url}/docs/search?q=a&q=b`)).status, 200)
  assert.equal((await call(`${house.url}/docs/search?q=${'x'.repeat(5000)}`)).status, 200)
})

test('below a base path, links keep to it', async () => {
  const below = await openHouse({ settings: { BASE_URL: 'https://shop.example.com/pay' } })
  try {
    const { text } = await call(`${below.url}/docs/errors`)
    assert.match(text, /href="\/pay\/docs\/payments"/)
    assert.match(text, /src="\/pay\/docs\/[\w-]+\.js"/)
    assert.doesNotMatch(text, /(href|src|action)="\/docs/)
    assert.match((await call(`${below.url}/docs`)).text, /https:\/\/shop\.example\.com\/pay\/api\/payment/)
  } finally {
    await below.close()
  }
})
