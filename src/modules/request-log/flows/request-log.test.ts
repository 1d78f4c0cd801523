import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { sql } from '../../../platform/database/sql.ts'
import { createKey } from '../../../core/merchants/change-keys.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { findRequest, listRequests, type LoggedRequest } from '../list-requests.ts'
import { call, openHouse, post, testConfig, type House } from '../../../../test/support/house.ts'
import { paymentRequest } from '../../../../test/support/payment-request.ts'
import { readMetrics } from '../../../../test/support/search-everything.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'

// What developers can look at afterwards: who is in it, what is not, and that no request waits for it or fails with it.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())
beforeEach(async () => {
  await house.app.flush()
  await house.db.query(sql`delete from request_log where merchant_id = ${house.merchantId}`)
})

const everything = { outcome: '', method: '', keyId: '', path: '' } as const

async function logged(mode: 'test' | 'live' = 'test'): Promise<LoggedRequest[]> {
  await house.app.flush()
  const scope = { merchantId: house.merchantId, mode }
  const { lines } = await listRequests(house.db, scope, everything)
  const found = await Promise.all(lines.map(({ request_id }) => findRequest(house.db, scope, request_id)))
  return found.flatMap((one) => (one ? [one] : []))
}

test('a request is logged with its method, path, status, time, id, key and both bodies', async () => {
  const request = paymentRequest({ tx_ref: 'logged-1', amount: '12.50' })
  const answer = await post(`${house.url}/api/payment`, request, house.secretKey)
  const [line, ...others] = await logged()
  assert.ok(line && others.length === 0)
  assert.equal(line.request_id, answer.headers.get('x-request-id'))
  assert.deepEqual([line.method, line.path, line.status], ['POST', '/api/payment', 201])
  assert.match(line.key_id, /^key_/)
  assert.ok(line.duration_us > 0)
  const sent = JSON.parse(line.request_body ?? '') as Record<string, unknown>
  assert.deepEqual([sent['tx_ref'], sent['amount']], ['logged-1', '12.50'])
  assert.match(line.answer_body ?? '', /"checkout_url":"http/)
})

test('refused requests of a known key are logged, anonymous ones aren’t', async () => {
  await post(`${house.url}/api/payment`, { amount: 'a lot' }, house.secretKey)
  await post(`${house.url}/api/payment`, '{"tx_ref": broken', house.secretKey)
  await call(`${house.url}/api/transaction/nothing`, { key: house.secretKey })
  await call(`${house.url}/api/transaction/nothing`, { key: `${house.secretKey}0` })
  await call(`${house.url}/api/transaction/nothing`)
  await call(`${house.url}/dashboard/sign-in`)
  const lines = await logged()
  assert.deepEqual(lines.map(({ method, status }) => `${method} ${status}`).toSorted(), [
    'GET 404',
    'POST 400',
    'POST 400',
  ])
  assert.ok(lines.some(({ answer_body }) => /"code":"validation_failed"/.test(answer_body ?? '')))
  const broken = lines.find(({ answer_body }) => /malformed_body/.test(answer_body ?? ''))
  assert.equal(broken?.request_body, null, 'what can’t be read can’t be looked through for secrets')
})

test('test and live are separate, and keys without a mode are in both', async () => {
  await call(`${house.url}/api/transactions`, { key: house.secretKey })
  await call(`${house.url}/api/transactions`, { key: house.liveKey })
  await call(`${house.url}/api/v1/projects`, { key: house.apiKey })
  for (const mode of ['test', 'live'] as const)
    assert.deepEqual((await logged(mode)).map((line) => line.mode).toSorted(), [mode, 'none'].toSorted())
})

test('web forms are logged, accepted and refused', async () => {
  const made = { kind: 'form', mode: 'test', name: 'shop', bounds: { hosts: ['shop.example.com'] } } as const
  const { key } = await createKey(house.db, house.merchantId, made)
  const fields = {
    secret_key: key,
    tx_ref: 'form-logged',
    amount: '5.00',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
  }
  for (const amount of ['5.00', '-5'])
    await call(`${house.url}/ext_transfer`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, amount }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const lines = await logged()
  assert.deepEqual(lines.map(({ status }) => String(status)).toSorted(), ['303', '400'])
  assert.match(lines[0]?.request_body ?? '', /"tx_ref":"form-logged"/)
  assert.match(lines[0]?.request_body ?? '', /"secret_key":"\[hidden\]"/)
})

test('no secret, card or name is ever logged, wherever it was put', async () => {
  const { secretKey, liveKey, apiKey, url } = house
  const form = await createKey(house.db, house.merchantId, {
    kind: 'form',
    name: 'signed',
    bounds: { hosts: ['shop.example.com'] },
    signing: house.secrets,
  })
  const secrets = [
    secretKey,
    liveKey,
    apiKey,
    form.key,
    form.formSecret ?? '',
    'whsec_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6',
  ]
  const cards = ['4012888888881881', '4012 8888 8888 1881', '4012.8888.8888.1881', '4012-8888-8888-1881']
  const others = ['canary@example.com', 'Canaryname', 'hunter2canary', '90731']
  for (const word of [...secrets, ...cards]) {
    await post(`${url}/api/payment`, paymentRequest({ tx_ref: word, email: 'canary@example.com' }), secretKey)
    await post(
      `${url}/api/payment`,
      paymentRequest({ meta: { note: word, [word]: [1, { deep: word }] } }),
      secretKey,
    )
    await post(`${url}/api/payment`, `{"tx_ref":"x","amount":${word.replace(/\D/g, '') || 1}}`, secretKey)
    await post(`${url}/api/payment`, `{"tx_ref":"${word}`, secretKey)
    await call(`${url}/api/transaction/${encodeURIComponent(word)}`, { key: secretKey })
    await call(
      `${url}/api/transaction/${[...word].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')}`,
      { key: secretKey },
    )
    await call(`${url}/api/transactions?email=${encodeURIComponent(word)}&q=canary%40example.com`, {
      key: secretKey,
    })
    await call(`${url}/api/v1/projects?search=${encodeURIComponent(word)}`, { key: apiKey })
    await call(`${url}/ext_transfer`, {
      method: 'POST',
      body: new URLSearchParams({ secret_key: secretKey, tx_ref: word, title: word }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    })
    await house.app.flush()
  }
  const named = {
    first_name: 'Canaryname',
    last_name: 'Canaryname',
    meta: { password: 'hunter2canary', cvv: 90731 },
  }
  await post(`${url}/api/payment`, paymentRequest(named), secretKey)
  await house.app.flush()
  const rows = await house.db.query<{ row: string }>(sql`
    select request_log::text as row from request_log where merchant_id = ${house.merchantId}`)
  assert.ok(rows.length > 80, `${rows.length} rows were searched`)
  const text = rows.map(({ row }) => row).join('\n')
  for (const word of [...secrets, ...cards, ...others]) assert.ok(!text.includes(word), `${word} was found`)
  assert.match(text, /\[hidden\]/)
})

test('bodies are cut, and those too deep or too long are left out', async () => {
  const long = paymentRequest({ meta: { note: 'n'.repeat(9_000) } })
  await post(`${house.url}/api/payment`, long, house.secretKey)
  const deep = `{"meta":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  await post(`${house.url}/api/payment`, deep, house.secretKey)
  const lines = await logged()
  assert.equal(lines.length, 2)
  for (const line of lines) assert.ok((line.request_body ?? '').length <= 4_097)
})

test('a failing database costs no request, and missing lines are counted', async () => {
  await house.db.query(sql`alter table request_log rename to request_log_away`)
  try {
    const answer = await call(`${house.url}/api/transactions`, { key: house.secretKey })
    assert.equal(answer.status, 200)
    await house.app.flush()
  } finally {
    await house.db.query(sql`alter table request_log_away rename to request_log`)
  }
  assert.match(await readMetrics(house), /florin_requests_not_logged_total\{reason="not_written"\} 1/)
  assert.match(house.log(), /Could not write requests to the request log/)
  assert.deepEqual(await logged(), [])
})

test('lines of several merchants share a commit, and only refused ones are lost', async () => {
  const other = await createMerchant(house.db, { name: 'Next door' })
  const { key } = await createKey(house.db, other, { kind: 'secret', mode: 'test', name: 'till' })
  const ask = async (): Promise<void> => {
    for (const each of [house.secretKey, key])
      assert.equal((await call(`${house.url}/api/transactions`, { key: each })).status, 200)
    await house.app.flush()
  }
  const commits = async (): Promise<{ xmin: string }[]> =>
    house.db.query(sql`
      select xmin::text from request_log where merchant_id = ${house.merchantId}
      union all select xmin::text from request_log where merchant_id = ${other}`)
  // Between the two calls the server may have written by its own clock; with a commit each they would never be in one.
  await waitUntil('two merchants share a commit', async () => {
    for (const each of [house.merchantId, other])
      await house.db.query(sql`delete from request_log where merchant_id = ${each}`)
    await ask()
    const [first, second, ...more] = await commits()
    return first !== undefined && first.xmin === second?.xmin && more.length === 0
  })

  const client = new pg.Client({ connectionString: house.databaseUrl })
  await client.connect()
  await client.query(
    `alter table request_log add constraint none_of_this check (merchant_id <> ${other}) not valid`,
  )
  try {
    await ask()
  } finally {
    await client.query('alter table request_log drop constraint none_of_this')
    await client.end()
  }
  assert.equal((await commits()).length, 3)
})

test('a busy program’s requests are sampled, and refused ones separately', async () => {
  const busy = await openHouse({ settings: { REQUEST_LOG_PER_SECOND: '1' } })
  const { url, secretKey, merchantId, db } = busy
  for (let at = 0; at < 30; at += 1) await call(`${url}/api/form-refusals`, { key: secretKey })
  await call(`${url}/api/transaction/nothing`, { key: secretKey })
  await busy.app.flush()
  const { lines } = await listRequests(db, { merchantId, mode: 'test' }, everything)
  const good = lines.filter(({ status }) => status === 200).length
  assert.ok(good >= 20 && good < 30, `${good} of 30 are kept`)
  assert.equal(lines.filter(({ status }) => status === 404).length, 1)
  assert.match(
    await readMetrics(busy),
    new RegExp(`florin_requests_not_logged_total\\{reason="busy"\\} ${30 - good}`),
  )
  await busy.close()
})

test('lines noted before shutdown are written at shutdown', async () => {
  const ending = await openHouse({ databaseUrl: house.databaseUrl })
  await call(`${ending.url}/api/transactions`, { key: ending.secretKey })
  await ending.close()
  const rows = await house.db.query(sql`select from request_log where merchant_id = ${ending.merchantId}`)
  assert.equal(rows.length, 1)
})

test('with 0 days none are kept, and existing ones are deleted', async () => {
  const off = await openHouse({ settings: { REQUEST_LOG_DAYS: '0' } })
  await call(`${off.url}/api/transactions`, { key: off.secretKey })
  await off.app.flush()
  assert.deepEqual(await off.db.query(sql`select from request_log where merchant_id = ${off.merchantId}`), [])
  await fill(off, off.merchantId, 3, 1)
  await prune(off)
  assert.deepEqual(await off.db.query(sql`select from request_log where merchant_id = ${off.merchantId}`), [])
  await off.close()
  assert.equal(testConfig().REQUEST_LOG_DAYS, 7)
})

async function fill(at: House, merchantId: number, count: number, ageDays: number): Promise<void> {
  await at.db.query(sql`
    insert into request_log (merchant_id, mode, at, id, request_id, key_id, method, path, status, duration_us)
    select ${merchantId}::integer, case place % 3 when 0 then 'test' when 1 then 'live' else 'none' end,
      now() - make_interval(days => ${ageDays}, secs => place), 'log_' || place, 'req_old' || place, 'key_a', 'GET', '/api/' || place,
      case when place % 10 = 0 then 404 else 200 end, 1000
    from generate_series(1, ${count}) as place`)
}

async function prune(at: House): Promise<void> {
  const job = at.app.jobs.find(({ name }) => name === 'prune requests')
  assert.ok(job)
  while ((await job.run()) > 0);
}

test('requests expire in steps, and younger ones stay', async () => {
  await fill(house, house.merchantId, 5_000, 8)
  await fill(house, house.merchantId, 30, 6)
  const job = house.app.jobs.find(({ name }) => name === 'prune requests')
  const first = await job?.run()
  assert.ok(first !== undefined && first > 0 && first < 5_000, `${first} in one step`)
  await prune(house)
  const rows = await house.db.query<{ count: string }>(sql`
    select count(*) from request_log where merchant_id = ${house.merchantId}`)
  assert.equal(Number(rows[0]?.count), 30)
})

test('pages follow without a gap, even with few matches and two modes mixed', async () => {
  await fill(house, house.merchantId, 900, 0)
  const scope = { merchantId: house.merchantId, mode: 'test' } as const
  const expected = (
    await house.db.query<{ id: string }>(sql`
      select id from request_log where merchant_id = ${house.merchantId} and mode in ('test', 'none') and status = 404
      order by at desc, id desc`)
  ).map(({ id }) => id)
  const found: string[] = []
  let pages = 0
  let edge = undefined
  do {
    const filter = { ...everything, outcome: 'refused' } as const
    const page = await listRequests(house.db, scope, filter, edge, { window: 40, size: 7 })
    found.push(...page.lines.map(({ id }) => id))
    edge = page.next
    pages += 1
  } while (edge !== undefined)
  assert.equal(expected.length, 60)
  assert.deepEqual(found, expected)
  assert.ok(pages >= 9, `${pages} pages`)
})
