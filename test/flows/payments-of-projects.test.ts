import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { create, remove, rename, type Item } from '../support/project-calls.ts'

// Payments made into projects: found by them, and shown with their names, also after a project is gone.

let house: House
const made: Record<string, Item> = {}

before(async () => {
  house = await openHouse()
  for (const name of ['Kept', 'Renamed', 'Gone', 'Twice'])
    made[name] = await create(house, house.apiKey, name)
  const projects = ['Kept', 'RENAMED', made['Gone']?.id, 'Twice', undefined]
  for (const project of projects) await pay(project)
  await remove(house, house.apiKey, 'Gone')
  await rename(house, house.apiKey, 'Renamed', { project: 'New name' })
  await remove(house, house.apiKey, 'Twice')
  made['Twice again'] = await create(house, house.apiKey, 'twice')
  await pay('twice')
  await remove(house, house.apiKey, 'Twice')
})
after(() => house.close())

const refs: string[] = []

async function pay(project: string | undefined): Promise<void> {
  const body = paymentRequest(project === undefined ? {} : { project })
  const answer = await post(`${house.url}/api/payment`, body, house.secretKey)
  assert.equal(answer.status, 201, answer.text)
  refs.push(String(body['tx_ref']))
}

type Shown = { tx_ref: string; project?: string; project_id?: string }

async function list(query: string): Promise<Shown[]> {
  const { status, json, text } = await call(`${house.url}/api/transactions${query}`, { key: house.secretKey })
  assert.equal(status, 200, text)
  return json.data
}

test('the list shows the project’s id and its current or last name', async () => {
  const shown = (await list('')).map(({ tx_ref, project, project_id }) => [tx_ref, project, project_id])
  assert.deepEqual(shown.toReversed(), [
    [refs[0], 'Kept', made['Kept']?.id],
    [refs[1], 'New name', made['Renamed']?.id],
    [refs[2], 'Gone', made['Gone']?.id],
    [refs[3], 'Twice', made['Twice']?.id],
    [refs[4], undefined, undefined],
    [refs[5], 'twice', made['Twice again']?.id],
  ])
})

test('payments are found by their project’s id or name, deleted or not', async () => {
  const rows: [project: string | undefined, payments: number[]][] = [
    ['kept', [0]],
    [made['Kept']?.id, [0]],
    ['new name', [1]],
    ['GONE', [2]],
    [made['Gone']?.id, [2]],
    [made['Twice']?.id, [3]],
    // Two deleted projects had this name: it is the last one's.
    ['twice', [5]],
  ]
  for (const [project, payments] of rows) {
    const found = await list(`?project=${encodeURIComponent(project ?? '')}`)
    assert.deepEqual(
      found.map(({ tx_ref }) => refs.indexOf(tx_ref)),
      payments,
      `${project}`,
    )
  }
})

test('a name used by an active project means that one, not a deleted one', async () => {
  await create(house, house.apiKey, 'Gone')
  assert.deepEqual(await list('?project=gone'), [])
})

test('an unknown project of the merchant is refused', async () => {
  for (const project of ['renamed', 'prj_0000000000000000', 'a%00b']) {
    const answer = await call(`${house.url}/api/transactions?project=${project}`, { key: house.secretKey })
    assert.equal(answer.status, 400, answer.text)
  }
})

test('a deleted project takes no new payments', async () => {
  for (const project of ['Twice', made['Twice']?.id]) {
    const answer = await post(`${house.url}/api/payment`, paymentRequest({ project }), house.secretKey)
    assert.equal(answer.status, 400)
    assert.equal(answer.json.message, 'project must be one of your projects')
  }
})

test('a repeated request gets its first answer, even if its project is deleted', async () => {
  await create(house, house.apiKey, 'Short-lived')
  const body = paymentRequest({ project: 'short-lived' })
  const send = (sent: unknown): ReturnType<typeof post> =>
    post(`${house.url}/api/payment`, sent, house.secretKey, { 'idempotency-key': 'short-lived' })
  const first = await send(body)
  assert.equal(first.status, 201)
  await remove(house, house.apiKey, 'Short-lived')
  const again = await send(body)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal((await send({ ...body, amount: '77' })).json.code, 'idempotency_conflict')

  // A day later the key stands for nothing any more, and the project is still gone.
  await house.db.query(sql`
    update payments set created_at = now() - interval '24 hours 1 second' where idempotency_key = 'short-lived'`)
  const late = await send(body)
  assert.deepEqual([late.status, late.json.message], [400, 'project must be one of your projects'])
})

test('a cancelled payment shows its project; the look-up keeps its original fields', async () => {
  const answer = await call(`${house.url}/api/transaction/${refs[2]}/cancel`, {
    method: 'POST',
    key: house.secretKey,
  })
  assert.deepEqual([answer.json.data['project'], answer.json.data['project_id']], ['Gone', made['Gone']?.id])
  const found = await call(`${house.url}/api/transaction/${refs[2]}`, { key: house.secretKey })
  assert.ok(!('project' in found.json.data) && !('project_id' in found.json.data))
})
