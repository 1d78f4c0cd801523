import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
} from '../../../test/support/dashboard/page-ask.ts'
import type { Merchant } from '../../core/merchants/authenticate.ts'
import type { LiveFinding } from '../ask.ts'
import { healthPage } from './health-page.ts'
import { livePage, merchantPage } from './merchant-page.ts'
import { merchantPill, merchantsPage, newMerchantPage, readMerchantNumber } from './merchants-page.ts'

const path = '/dashboard/installation'
const { merchant } = pageAsk().place

const page = (changes: Partial<Merchant> = {}, typed?: Map<string, string>) =>
  merchantPage(pageAsk({ person: { isOperator: true } }), { ...merchant, ...changes }, typed).body

for (const [what, changes, state, buttons] of [
  ['in test mode', {}, 'test only', ['Save fee plan', 'Invite owner']],
  ['live', { liveEnabled: true }, 'live', ['Turn live payments off', 'Save fee plan', 'Invite owner']],
  [
    'suspended',
    { liveEnabled: true, isSuspended: true },
    'suspended',
    ['Turn live payments off', 'Save fee plan', 'Resume Corner shop', 'Invite owner'],
  ],
] as const)
  test(`a merchant that is ${what} is shown as ${state}`, () => {
    assert.equal(factsIn(page(changes))['State'], state)
    assert.deepEqual(Object.keys(formsIn(page(changes))), buttons)
    assert.equal('Suspend' in linksIn(page(changes)), state !== 'suspended')
    assert.equal('Check and turn on' in linksIn(page(changes)), !('liveEnabled' in changes))
  })

test('a merchant’s fees are shown, or what was typed', () => {
  assert.match(page().text, /name="share"[^>]*value="1\.40"/)
  assert.match(page().text, /name="fixed_GBP"[^>]*value="0\.20"/)
  assert.equal(page().text.match(/class="code"/g)?.length, 2, 'both are figures, not words')
  assert.match(page({}, new Map([['share', '2']])).text, /name="share"[^>]*value="2"/)
  assert.equal(factsIn(page())['Fees on refunds'], 'Not returned')
  assert.equal(factsIn(page({ refundFees: true }))['Fees on refunds'], 'Returned to the merchant')
  assert.equal(factsIn(page({ email: null }))['Alert e-mail'], 'Not set')
})

const ok: LiveFinding = { about: 'network', is: 'ok', what: 'A network' }
const missing: LiveFinding = { about: 'mail', is: 'missing', what: 'Mail', remedy: 'set SMTP_URL' }
const optional: LiveFinding = { ...missing, skippable: true }

for (const [what, findings, button, words] of [
  ['nothing is missing', [ok], 'Turn live payments on', /Ready\..*A network ready/],
  [
    'an optional step is missing',
    [ok, optional],
    'Turn on without the missing steps',
    /Some steps are missing.*To do: set SMTP_URL missing/,
  ],
  ['a step is missing', [missing, optional], undefined, /Check again/],
] as const)
  test(`when ${what} live payments ${button === undefined ? 'can’t be turned on' : `are turned on with “${button}”`}`, () => {
    const drawn = livePage(pageAsk(), merchant, findings).body
    assert.deepEqual(Object.keys(formsIn(drawn)), button === undefined ? [] : [button])
    assert.equal(drawn.text.includes('name="force" value="yes"'), button?.includes('without') === true)
    assert.match(wordsOf(drawn), words)
  })

test('findings are coloured by how much they matter', () => {
  const tones = [
    ...livePage(pageAsk(), merchant, [ok, optional, missing]).body.text.matchAll(/class="pill (\w+)"/g),
  ]
  assert.deepEqual(
    tones.map(([, tone]) => tone),
    ['good', 'warn', 'bad'],
  )
  assert.match(merchantPill('suspended').text, /pill bad/)
  assert.match(merchantPill('live').text, /pill good/)
})

function list(changes: object = {}, query = {}) {
  const found = {
    merchants: [{ id: 1, name: 'Shop', state: 'live', createdAt: now.toISOString() }],
    nextCursor: null,
  }
  return merchantsPage(pageAsk({ query }), { ...found, ...changes } as never).body
}

test('merchants are listed, searched and paged', () => {
  assert.deepEqual(tableIn(list()).rows, [['Shop', '1', 'live', 'just now']])
  assert.match(wordsOf(list({ merchants: [] })), /No merchant yet/)
  for (const query of [{ q: 'x' }, { state: 'live' }]) {
    assert.match(wordsOf(list({ merchants: [] }, query)), /No matching merchants/)
    assert.ok('Clear' in linksIn(list({}, query)))
  }
  const later = linksIn(list({ nextCursor: 'c' }, { q: 'x', cursor: 'b' }))
  assert.deepEqual([later['Older'], later['Newest']], [`${path}?q=x&cursor=c`, `${path}?q=x`])
  assert.ok(!('Older' in linksIn(list())) && !('Newest' in linksIn(list())))
})

test('a list of merchants that lacks those of a node says so, and never that there are none', () => {
  const missed = { nodes: ['db2:5432'], shards: 16, of: 32 }
  const nobody = wordsOf(merchantsPage(pageAsk(), { merchants: [], nextCursor: null }, missed).body)
  assert.match(nobody, /Cluster node db2:5432 can't be reached right now: merchants in 16 of 32 shards/)
  assert.doesNotMatch(nobody, /No merchant yet/)
})

test('a form that is sent again creates the merchant with the same number', () => {
  assert.equal(readMerchantNumber(new Map([['number', '12345678']]) as never), 12_345_678)
  for (const number of ['02345678', '1234567', '123456789', 'x'])
    assert.notEqual(String(readMerchantNumber(new Map([['number', number]]))), number)
  assert.match(newMerchantPage(pageAsk()).body.text, /name="number" value="[1-9]\d{7}"/)
})

const health = {
  troubles: [],
  glance: {
    waiting: 0,
    paused: 0,
    overdueSeconds: 0.5,
    requests: 1_234,
    failed: 0,
    p95Seconds: 0.25,
    memoryBytes: 123_456_789,
    startedAt: now,
    underAttack: 0,
  },
  late: { attempts: 0, expiries: 2 },
  database: { processes: [], version: '18.4', bytes: 1, migrations: 9, missing: [], isNewer: false },
  unsafe: [],
  connections: { busy: 1, idle: 2 },
  backupAt: undefined,
  nodes: [],
}

function shown(changes: object = {}, dashboard: object = {}, isSignUpOpen = false) {
  const ask = pageAsk({ dashboard: { version: '1.0', ...dashboard }, people: { isSignUpOpen } as never })
  return healthPage(ask, { ...health, ...changes } as never).body
}
const glance = (changes: object) => factsIn(shown({ glance: { ...health.glance, ...changes } }))

for (const [seconds, words] of [
  [undefined, 'unknown'],
  [0.5, 'nothing'],
  [1, '1 s'],
  [119, '119 s'],
  [120, '2 minutes'],
  [7_199, '120 minutes'],
  [7_200, '2 hours'],
] as const)
  test(`work that is overdue by ${seconds} seconds is overdue by ${words}`, () => {
    assert.equal(glance({ overdueSeconds: seconds })['Oldest is overdue by'], words)
  })

test('health is told in figures, and what isn’t known as unknown', () => {
  const facts = factsIn(shown())
  assert.equal(facts['95% answered within'], '250 ms')
  assert.equal(facts['Memory'], '123 MB')
  assert.equal(facts['Size'], '1 MB')
  assert.equal(facts['Requests'], '1,234, 0 failed (5xx)')
  assert.equal(facts['Deliveries paused'], 'none')
  assert.equal(facts['Charges with an unknown outcome'], 'none')
  assert.equal(facts['Payments past their deadline'], 'at 2 merchants')
  assert.equal(
    factsIn(shown({ late: { attempts: 1, expiries: 0 } }))['Charges with an unknown outcome'],
    'at 1 merchant',
  )
  assert.match(glance({ paused: 3 })['Deliveries paused'] ?? '', /^3, until/)
  const unknown = glance({ p95Seconds: undefined, memoryBytes: undefined, waiting: undefined })
  assert.deepEqual(
    [unknown['95% answered within'], unknown['Memory'], unknown['Deliveries waiting']],
    ['unknown', undefined, 'unknown'],
  )
})

test('problems, the schema and durable commits are told', () => {
  assert.match(wordsOf(shown()), /healthy/)
  assert.match(wordsOf(shown({ troubles: ['The disk is full'] })), /Problems The disk is full/)
  const database = (changes: object) =>
    factsIn(shown({ database: { ...health.database, ...changes } }))['Schema']
  assert.equal(database({}), 'up to date, 9 migrations')
  assert.equal(database({ missing: ['a', 'b'] }), '2 behind, 9 migrations')
  assert.equal(database({ isNewer: true, missing: ['a'] }), 'from a newer Florin, 9 migrations')
  assert.equal(factsIn(shown())['Durable commits'], 'yes')
  assert.equal(
    factsIn(shown({ unsafe: ['fsync', 'synchronous_commit'] }))['Durable commits'],
    'no: fsync and synchronous_commit off',
  )
  assert.equal(factsIn(shown())['Last backup'], 'none seen')
  assert.equal(factsIn(shown({ backupAt: now.toISOString() }))['Last backup'], 'just now')
})

test('processes and nodes are listed where there are any', () => {
  assert.match(wordsOf(shown()), /No process has reported yet/)
  const processes = [{ role: 'florin serve', version: null, since: null }]
  assert.deepEqual(tableIn(shown({ database: { ...health.database, processes } })).rows, [
    ['serve', 'unknown (older)', 'unknown'],
  ])
  assert.doesNotMatch(wordsOf(shown()), /Nodes/)
  const nodes = [
    { name: 'one', isActive: true },
    { name: 'two', isActive: false },
  ]
  assert.deepEqual(tableIn(shown({ nodes })).rows, [
    ['one', 'active'],
    ['two', 'down'],
  ])
})

test('the settings of the installation are named', () => {
  assert.match(factsIn(shown())['Sign-up'] ?? '', /By invitation/)
  assert.match(factsIn(shown({}, {}, true))['Sign-up'] ?? '', /Open to anyone/)
  assert.match(factsIn(shown())['Mail'] ?? '', /^Sent/)
  assert.match(factsIn(shown({}, { hasMailServer: false }))['Mail'] ?? '', /waiting/)
})
