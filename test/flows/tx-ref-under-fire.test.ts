import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'

// The same order sent many times at once, to several servers that share nothing but the database.

let house: House
let servers: ServerProcess[]

before(async () => {
  house = await openHouse()
  const settings = { BASE_URL: 'https://pay.example.com' }
  servers = await Promise.all([1, 2].map(() => startServerProcess(house.databaseUrl, settings)))
})
after(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await house.close()
})

async function fire(count: number, body: object, headers: Record<string, string> = {}): Promise<Answer[]> {
  const urls = servers.map((server) => server.url)
  const shots = Array.from({ length: count }, (_, index) =>
    post(`${urls[index % urls.length]}/api/payment`, body, house.secretKey, headers),
  )
  return Promise.all(shots)
}

test('50 equal simultaneous creates on two servers make one payment, and the rest get 409', async () => {
  for (let round = 0; round < 4; round += 1) {
    const answers = await fire(50, paymentRequest())
    const created = answers.filter((answer) => answer.status === 201)
    assert.equal(created.length, 1)
    for (const answer of answers) {
      if (answer.status === 201) continue
      assert.equal(answer.status, 409)
      assert.equal(answer.json.code, 'tx_ref_taken')
    }
  }
})

test('50 equal creates with one Idempotency-Key make one payment, and all get the same answer', async () => {
  for (let round = 0; round < 4; round += 1) {
    const answers = await fire(50, paymentRequest(), { 'idempotency-key': `round-${round}` })
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([201]))
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
  }
})

test('the same Idempotency-Keys in another order on another server cause no deadlock', async () => {
  const count = 60
  for (let round = 0; round < 3; round += 1) {
    const shots = servers.flatMap((server, at) =>
      Array.from({ length: count }, (_, index) => {
        const place = String(index).padStart(3, '0')
        const key = String(at === 0 ? index : count - 1 - index).padStart(3, '0')
        const body = paymentRequest({ tx_ref: `crossing-${round}-${at}-${place}` })
        const headers = { 'idempotency-key': `crossing-${round}-${key}` }
        return post(`${server.url}/api/payment`, body, house.liveKey, headers)
      }),
    )
    const statuses = (await Promise.all(shots)).map((answer) => answer.status)
    const countOf = (status: number): number => statuses.filter((each) => each === status).length
    // Two batches that wait for each other end with 503 for all that travelled in one of them.
    assert.deepEqual([countOf(201), countOf(409)], [count, count])
  }
})

test('a crowd of equal creates shares its look-ups, and leaves connections to others', async (t) => {
  const quiet = await openHouse()
  t.after(() => quiet.close())
  for (const headers of [{}, { 'idempotency-key': 'crowd' }]) {
    const body = paymentRequest()
    const shots = Array.from({ length: 50 }, () =>
      post(`${quiet.url}/api/payment`, body, quiet.secretKey, headers),
    )
    await Promise.all(shots)
  }
  const { busy, idle } = quiet.db.load()
  // Two batches of inserts and two of each question at most; before, every one of the pool's 20 was opened.
  assert.ok(busy + idle <= 8, `${busy + idle} connections`)
})

test('many different simultaneous creates each get their own link', async () => {
  const bodies = Array.from({ length: 300 }, () => paymentRequest())
  const answers = await Promise.all(
    bodies.map((body, index) => post(`${servers[index % 2]?.url}/api/payment`, body, house.secretKey)),
  )
  const statuses = answers.map((answer) => answer.status).filter((status) => status !== 429)
  assert.deepEqual(new Set(statuses), new Set([201]))
  const links = answers.filter((answer) => answer.status === 201).map((answer) => answer.text)
  assert.equal(new Set(links).size, links.length)
})
