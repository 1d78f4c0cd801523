import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { call, openHouse, post, type House } from '../../../test/support/house.ts'
import {
  body,
  create,
  listUrl,
  newMerchant,
  projectUrl,
  remove,
  rename,
  type Item,
} from '../../../test/support/project-calls.ts'

let house: House
let list: string

before(async () => {
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '100000' } })
  list = listUrl(house)
})
after(() => house.close())

const notFound = { status: 'failed', message: 'Project not found', data: null, code: 'not_found' }
const taken = {
  status: 'failed',
  message: 'A project with this name already exists: choose another name',
  data: null,
  code: 'name_taken',
}

test('a project is created, found by id and by name, renamed and deleted', async () => {
  const key = await newMerchant(house)
  const created = await post(list, { project: 'Summer sale', colour: 'ignored' }, key)
  const project: Item = created.json.data
  assert.equal(created.status, 201)
  assert.match(project.id, /^prj_[0-9A-Za-z]{16}$/)
  assert.match(project.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.deepEqual(body(created), {
    status: 'success',
    message: 'Project created',
    data: { ...project, project: 'Summer sale', updated_at: project.created_at },
  })

  const found = { status: 'success', message: 'Project details', data: project }
  for (const name of [project.id, 'Summer sale', 'SUMMER SALE']) {
    assert.deepEqual(body(await call(projectUrl(house, name), { key })), found)
  }

  const renamed = await rename(house, key, 'summer sale', { project: 'Winter sale' })
  const changed: Item = renamed.json.data
  assert.equal(renamed.status, 200)
  assert.ok(changed.updated_at > project.updated_at)
  assert.deepEqual(body(renamed), {
    status: 'success',
    message: 'Project renamed',
    data: { ...project, project: 'Winter sale', updated_at: changed.updated_at },
  })
  assert.deepEqual(body(await call(projectUrl(house, 'Summer sale'), { key })), notFound)

  const deleted = await remove(house, key, 'Winter sale')
  assert.equal(deleted.status, 200)
  assert.deepEqual(body(deleted), {
    status: 'success',
    message: 'Project deleted',
    data: { id: project.id, project: 'Winter sale', deleted: true },
  })
  const calls = ['GET', 'DELETE'].map((method) => call(projectUrl(house, project.id), { method, key }))
  for (const answer of await Promise.all([...calls, rename(house, key, project.id, { project: 'x' })])) {
    assert.equal(answer.status, 404)
    assert.deepEqual(body(answer), notFound)
  }
})

test('a name is taken in any case until its project is deleted', async () => {
  const key = await newMerchant(house)
  const street = await create(house, key, 'Straße')
  await create(house, key, 'Ж')
  assert.equal((await post(list, { project: 'STRASSE' }, key)).status, 409)
  assert.deepEqual(body(await post(list, { project: 'straẞe' }, key)), taken)
  assert.deepEqual(body(await rename(house, key, 'ж', { project: 'strasse' })), taken)
  assert.equal((await rename(house, key, street.id, { project: 'STRASSE' })).status, 200, 'its own name')
  assert.equal((await post(list, { project: 'strasse' }, await newMerchant(house))).status, 201, 'elsewhere')
  await remove(house, key, 'STRASSE')
  assert.notEqual((await create(house, key, 'Straße')).id, street.id)
})

test('names with any character can be part of a URL', async () => {
  const key = await newMerchant(house)
  for (const name of [
    'a/b',
    '100 % sure?',
    '#1 & more',
    'back\\slash',
    '🎪'.repeat(255),
    '_',
    'ß+ß',
    '...',
  ]) {
    const { id } = await create(house, key, name)
    assert.equal((await call(projectUrl(house, name), { key })).json.message, 'Project details', name)
    const deleted = await remove(house, key, name)
    assert.deepEqual(deleted.json.data, { id, project: name, deleted: true })
  }
})

test('an impossible name is not found', async () => {
  const key = await newMerchant(house)
  await create(house, key, 'a')
  for (const name of ['prj_0123456789ABCDEF', '%', '_', 'x'.repeat(300), "' or 1=1 --"]) {
    const answer = await remove(house, key, name)
    assert.deepEqual([answer.status, body(answer)], [404, notFound])
  }
})

test('without a project in the URL the error names the rule', async () => {
  const rule = 'project is required'
  for (const method of ['PATCH', 'DELETE']) {
    const sent = method === 'PATCH' ? { body: '{"project":"b"}' } : {}
    const headers = { 'content-type': 'application/json' }
    const answer = await call(`${list}/`, { method, headers, key: house.apiKey, ...sent })
    assert.equal(answer.status, 400, method)
    assert.deepEqual(body(answer), {
      status: 'failed',
      message: rule,
      data: null,
      code: 'validation_failed',
      errors: { project: [rule] },
    })
  }
})

test('a DELETE with a content type but no body works', async () => {
  const key = await newMerchant(house)
  await create(house, key, 'a')
  const headers = { 'content-type': 'application/json' }
  assert.equal((await call(projectUrl(house, 'a'), { method: 'DELETE', key, headers })).status, 200)
})

test('a merchant sees and changes only its own projects', async () => {
  const [mine, other] = [await newMerchant(house), await newMerchant(house)]
  const { id } = await create(house, mine, 'Mine')
  assert.deepEqual((await call(list, { key: other })).json.data, [])
  for (const project of [id, 'Mine']) {
    const answers = [
      await call(projectUrl(house, project), { key: other }),
      await call(projectUrl(house, project), { key: other, method: 'DELETE' }),
      await rename(house, other, project, { project: 'Yours' }),
    ]
    for (const answer of answers) assert.deepEqual([answer.status, body(answer)], [404, notFound])
  }
  assert.equal((await call(projectUrl(house, id), { key: mine })).status, 200)
})

const refusedBodies: [string, unknown, object][] = [
  ['no name', {}, { project: ['project is required'] }],
  ['a number', { project: 1 }, { project: ['project must be a string'] }],
  ['a long name', { project: 'x'.repeat(256) }, { project: ['project must be at most 255 characters'] }],
]

for (const [what, sent, errors] of refusedBodies) {
  test(`create and rename refuse ${what}`, async () => {
    const key = await newMerchant(house)
    await create(house, key, 'a')
    for (const answer of [await post(list, sent, key), await rename(house, key, 'a', sent)]) {
      const message = Object.values(errors).flat()[0] as string
      assert.equal(answer.status, 400)
      assert.deepEqual(body(answer), {
        status: 'failed',
        message,
        data: null,
        code: 'validation_failed',
        errors,
      })
    }
  })
}

test('create refuses a body that is not a JSON object', async () => {
  for (const sent of ['[]', '"a"', 'null', '{']) {
    const answer = await post(list, sent, house.apiKey)
    assert.deepEqual([answer.status, answer.json.code], [400, 'malformed_body'])
  }
})

test('payments are created in a project by id or name, and keep it when it is deleted', async () => {
  const { id } = await create(house, house.apiKey, 'Fair')
  const payment = { amount: '10', currency: 'GBP', email: 'a@example.com', first_name: 'A', last_name: 'B' }
  for (const [tx_ref, project] of [
    ['by-id', id],
    ['by-name', 'FAIR'],
  ]) {
    const answer = await post(`${house.url}/api/payment`, { ...payment, tx_ref, project }, house.secretKey)
    assert.equal(answer.status, 201, answer.text)
  }
  const filtered = await call(`${house.url}/api/transactions?project=fair`, { key: house.secretKey })
  assert.equal((filtered.json.data as object[]).length, 2)
  assert.equal((await remove(house, house.apiKey, 'Fair')).status, 200)
  const kept = await call(`${house.url}/api/transaction/by-id`, { key: house.secretKey })
  assert.equal(kept.status, 200)
  const late = await post(
    `${house.url}/api/payment`,
    { ...payment, tx_ref: 'late', project: id },
    house.secretKey,
  )
  assert.deepEqual([late.status, late.json.message], [400, 'project must be one of your projects'])
})
