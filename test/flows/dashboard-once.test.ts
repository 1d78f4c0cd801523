import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql, type Sql } from '../../src/platform/database/sql.ts'
import { openHouse, type House } from '../support/house.ts'
import { paidPayment } from '../support/refunds.ts'
import { emailsTo, signedIn, type PageAnswer, type Visitor } from '../support/visitor.ts'

// Forms that make something: sent twice, by a double click or by loading their answer again, they make one.

let house: House
let owner: Visitor

before(async () => {
  house = await openHouse()
  owner = await signedIn(house, { role: 'owner', isOperator: true })
})
after(() => house.close())

const at = (path: string): string => `/dashboard/${house.merchantId}/test${path}`

async function count(statement: Sql): Promise<number> {
  return (await house.db.query(statement)).length
}

/** The hidden fields of the form that is sent to `to`, as a browser would send them. */
function hiddenIn({ text }: PageAnswer, to: string): Record<string, string> {
  const form = new RegExp(`<form[^>]* action="${RegExp.escape(to)}[^"]*"[^]*?</form>`).exec(text)?.[0] ?? ''
  assert.notEqual(form, '', `a form that is sent to ${to}`)
  const found = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
}

/** Both at the same moment, then once more, as by a reload. */
async function sendThreeTimes(
  page: string,
  fields: Record<string, string>,
  to = page,
): Promise<PageAnswer[]> {
  const body = { ...hiddenIn(await owner.get(page), to), ...fields }
  const both = await Promise.all([owner.post(to, body), owner.post(to, body)])
  return [...both, await owner.post(to, body)]
}

const statusesOf = (answers: readonly PageAnswer[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other)

const rowsOf = (name: string): Record<string, Sql> => ({
  keys: sql`select id from keys where merchant_id = ${house.merchantId} and name = ${name}`,
  entries: sql`
    select id from audit_log where merchant_id = ${house.merchantId} and action = 'key.created' and after->>'name' = ${name}`,
})

test('a key is created and shown once; resending the form leads to the key and says that it was shown', async () => {
  for (const [name, fields] of [
    ['Till 2', { kind: 'secret' }],
    ['Web page', { kind: 'form', hosts: 'shop.example.com', signed: 'yes' }],
  ] as const) {
    const page = at(`/keys/new?kind=${fields.kind}`)
    const answers = await sendThreeTimes(page, { ...fields, name }, at('/keys/new'))
    const keys = answers.flatMap(({ text }) => text.match(/value="(?:sk|fk)_test_\w+"/) ?? [])
    assert.equal(keys.length, 1)
    const others = answers.filter(({ status }) => status === 303)
    assert.deepEqual([...new Set(others.map(({ to }) => to.replace(/key_\w+$/, 'key')))], [at('/keys/key')])
    assert.equal(others.length, 2)
    const shown = await owner.get(others[0]?.to ?? '')
    assert.match(shown.text, /already created/)
    assert.doesNotMatch(shown.text, /value="(?:sk|fk)_test_\w{38}"/)
    for (const [what, statement] of Object.entries(rowsOf(name)))
      assert.equal(await count(statement), 1, what)
  }
})

test('the page has a new id each time, keeps it after a mistake, and refuses invalid ones', async () => {
  const ids = [await owner.get(at('/keys/new')), await owner.get(at('/keys/new'))].map(
    (page) => hiddenIn(page, at('/keys/new'))['id'] ?? '',
  )
  assert.notEqual(ids[0], ids[1])
  const [id = ''] = ids
  const refused = await owner.post(at('/keys/new'), { id, kind: 'secret', name: '' })
  assert.equal(refused.status, 400)
  assert.equal(hiddenIn(refused, at('/keys/new'))['id'], id)
  for (const odd of ['', 'key_1', `lnk_${'a'.repeat(16)}`, `key_${'a'.repeat(17)}`, "key_'--"])
    assert.equal((await owner.post(at('/keys/new'), { id: odd, kind: 'secret', name: 'Odd' })).status, 200)
  assert.equal(
    await count(sql`select id from keys where merchant_id = ${house.merchantId} and name = 'Odd'`),
    5,
  )
})

test('rolling a key twice with one form creates one new key, even if the old one ended with it', async () => {
  for (const overlap of ['24', '0']) {
    const name = `Rolled ${overlap}`
    const made = await owner.fill(at('/keys/new'), { kind: 'secret', name })
    assert.equal(made.status, 200)
    const [row] = await house.db.query<{ id: string }>(sql`
      select id from keys where merchant_id = ${house.merchantId} and name = ${name}`)
    const page = at(`/keys/${row?.id ?? ''}/roll`)
    const answers = await sendThreeTimes(page, { overlap })
    assert.deepEqual(statusesOf(answers), [200, 303, 303])
    const { keys } = rowsOf(name)
    assert.equal(await count(keys ?? sql`select`), 2)
  }
})

test('one form rolls the webhook secret once, and the next form again', async () => {
  const secrets = sql`select id from webhook_secrets where merchant_id = ${house.merchantId} and mode = 'test'`
  const page = at('/keys/webhook-secret')
  for (const expected of [2, 3]) {
    const answers = await sendThreeTimes(page, { overlap: '24' }, `${page}/do/roll`)
    assert.deepEqual(
      answers.map(({ status, to }) => [status, to]),
      answers.map(() => [303, page]),
    )
    assert.equal(await count(secrets), expected)
  }
})

test('links, projects and notes are created once, and every answer leads to the same one', async () => {
  const link = {
    kind: 'single',
    title: 'Once',
    currency: 'GBP',
    amount: '5',
    first_name: 'Ada',
    email: 'a@b.example',
  }
  const { number } = await paidPayment(house)
  const payment = at(`/payments/${number}`)
  const cases = [
    [
      at('/links/new'),
      link,
      sql`select id from links where merchant_id = ${house.merchantId} and title = 'Once'`,
    ],
    [
      at('/projects/new'),
      { project: 'Once' },
      sql`select id from projects where merchant_id = ${house.merchantId} and name = 'Once'`,
    ],
    [
      payment,
      { note: 'Once' },
      sql`select id from payment_notes where merchant_id = ${house.merchantId} and text = 'Once'`,
    ],
  ] as const
  for (const [page, fields, statement] of cases) {
    const answers = await sendThreeTimes(page, fields, page === payment ? `${page}/do/note` : page)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303],
      page,
    )
    assert.equal(new Set(answers.map(({ to }) => to)).size, 1, page)
    assert.equal((await owner.get(answers[0]?.to ?? '')).status, 200, page)
    assert.equal(await count(statement), 1, page)
  }
  assert.equal(
    await count(sql`select number from payments where merchant_id = ${house.merchantId} and type = 'Link'`),
    1,
  )
  const acts = await house.db.query<{ action: string }>(sql`
    select action from audit_log
    where merchant_id = ${house.merchantId} and action in ('link.created', 'project.created', 'payment.note_added')`)
  assert.deepEqual(acts.map(({ action }) => action).toSorted(), [
    'link.created',
    'payment.note_added',
    'project.created',
  ])
  const taken = await owner.fill(at('/projects/new'), { project: 'once' })
  assert.equal(taken.status, 400, 'another form with that name is a mistake')
})

test('a refund is confirmed once', async () => {
  const { txRef, number } = await paidPayment(house)
  const page = at(`/payments/${number}/refund`)
  const asked = await owner.fill(page, { ...hiddenIn(await owner.get(page), page), amount: '4.00' })
  const body = hiddenIn(asked, `${page}/do/confirm`)
  const answers = await Promise.all([1, 2].map(async () => owner.post(`${page}/do/confirm`, body)))
  answers.push(await owner.post(`${page}/do/confirm`, body))
  for (const { status, to } of answers) {
    assert.equal(status, 303)
    assert.match(to, /\/payments\/\w+/)
  }
  assert.equal(
    await count(sql`select id from refunds where merchant_id = ${house.merchantId} and tx_ref = ${txRef}`),
    1,
  )
})

test('one invitation e-mail is sent, and one merchant created', async () => {
  const email = `once.${process.pid}@example.com`
  const invited = await sendThreeTimes(at('/team/invite'), { email, role: 'viewer' })
  assert.deepEqual(
    invited.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 200, 200],
    'every answer shows the link, as there is no mail server',
  )
  const links = invited.map(({ text }) => /\/dashboard\/join\/[^"<\s]+/.exec(text)?.[0] ?? assert.fail(text))
  assert.equal(new Set(links).size, 1, 'and it is the same one, whichever the browser shows')
  assert.equal((await emailsTo(house, email)).length, 1)
  await owner.fill(at('/team/invite'), { email, role: 'viewer' })
  assert.equal((await emailsTo(house, email)).length, 2, 'another form writes another')

  const merchant = { name: 'Once only', email: `boss.${process.pid}@example.com` }
  const made = await sendThreeTimes('/dashboard/installation/merchants/new', merchant)
  assert.equal(new Set(made.filter(({ status }) => status === 303).map(({ to }) => to)).size, 1)
  assert.equal(await count(sql`select id from merchants where name = 'Once only'`), 1)
  assert.equal((await emailsTo(house, merchant.email)).length, 1)
})

test('the first steps create one payment and one key per page load', async () => {
  const page = at('/start')
  const payments = sql`
    select number from payments where merchant_id = ${house.merchantId} and tx_ref like 'first-steps-%'`
  for (const expected of [1, 2]) {
    await sendThreeTimes(page, {}, `${page}/do/create`)
    assert.equal(await count(payments), expected)
  }
  for (const expected of [1, 2]) {
    const answers = await sendThreeTimes(page, {}, `${page}/do/key`)
    assert.deepEqual(statusesOf(answers), [200, 303, 303])
    const { keys } = rowsOf('First steps')
    assert.equal(await count(keys ?? sql`select`), expected)
  }
  // Asked for again every three seconds, and put in place of what is there when it differs: only what happened may change it.
  const drawn = async (): Promise<string> =>
    /id="first-steps"[^]*<\/ol>/.exec((await owner.get(page)).text)?.[0] ?? ''
  const first = await drawn()
  assert.match(first, /do\/key/)
  assert.ok(first === (await drawn()))
})
