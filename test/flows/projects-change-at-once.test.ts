import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { call, openHouse, post, type House } from '../support/house.ts'
import {
  body,
  create,
  listUrl,
  newMerchant,
  projectUrl,
  remove,
  rename,
  type Item,
} from '../support/project-calls.ts'

// Many changes of one list at the same moment, over connections of their own: one wins, nothing is half done.

let house: House
const rounds = 15

before(async () => {
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '100000' } })
})
after(() => house.close())

async function all(key: string): Promise<{ items: Item[]; total: number }> {
  const answer = await call(`${listUrl(house)}?per_page=100&sort_by=project&sort=asc`, { key })
  const { data, meta } = body(answer) as { data: Item[]; meta: { total: number } }
  return { items: data, total: meta.total }
}

test('one of many simultaneous deletes deletes, and the others find nothing', async () => {
  const key = await newMerchant(house)
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await create(house, key, 'Fair')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => remove(house, key, at % 2 ? id : 'FAIR')),
    )
    const statuses = answers.map((answer) => answer.status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.equal(statuses.filter((status) => status === 404).length, 7)
    assert.deepEqual(await all(key), { items: [], total: 0 })
  }
})

test('with a delete and a rename at once, the rename either came first or finds nothing', async () => {
  const key = await newMerchant(house)
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await create(house, key, 'Old')
    const [deleted, renamed] = await Promise.all([
      remove(house, key, id),
      rename(house, key, id, { project: 'New' }),
    ])
    assert.equal(deleted.status, 200)
    const { project } = deleted.json.data as Item
    assert.deepEqual([renamed.status, project], renamed.status === 200 ? [200, 'New'] : [404, 'Old'])
    assert.deepEqual(await all(key), { items: [], total: 0 })
  }
})

test('with a delete by the old name and a rename at once, one of them wins', async () => {
  const key = await newMerchant(house)
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await create(house, key, 'Old')
    const [deleted, renamed] = await Promise.all([
      remove(house, key, 'Old'),
      rename(house, key, id, { project: 'New' }),
    ])
    assert.deepEqual(new Set([deleted.status, renamed.status]), new Set([200, 404]))
    const { total } = await all(key)
    assert.equal(total, renamed.status === 200 ? 1 : 0)
    if (renamed.status === 200) await remove(house, key, id)
  }
})

test('creating one name many times at once gives one project', async () => {
  const key = await newMerchant(house)
  const names = ['Straße', 'STRASSE', 'strasse', 'straẞe', 'Strasse', 'sTRASSE']
  const answers = await Promise.all(names.map((project) => post(listUrl(house), { project }, key)))
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1)
  assert.equal(answers.filter((answer) => answer.status === 409).length, names.length - 1)
  assert.equal((await all(key)).total, 1)
})

test('the count is right after many simultaneous creates and deletes', async () => {
  const key = await newMerchant(house)
  const names = Array.from({ length: 40 }, (_, at) => `p${at}`)
  await Promise.all(names.map((name) => create(house, key, name)))
  assert.equal((await all(key)).total, 40)
  const changes = names.flatMap((name, at) => [
    ...(at % 2 ? [remove(house, key, name), remove(house, key, name.toUpperCase())] : []),
    post(listUrl(house), { project: at % 4 ? name : `new ${name}` }, key),
  ])
  const statuses = (await Promise.all(changes)).map((answer) => answer.status)
  assert.ok(statuses.every((status) => [200, 201, 404, 409].includes(status)))
  const count = (wanted: number): number => statuses.filter((status) => status === wanted).length
  const { items, total } = await all(key)
  assert.deepEqual([total, items.length], [40 + count(201) - count(200), total])
})

test('two projects that swap names at once never both win, and the count stays', async () => {
  const key = await newMerchant(house)
  const [one, other] = [await create(house, key, 'One'), await create(house, key, 'Other')]
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all([
      rename(house, key, one.id, { project: 'Both' }),
      rename(house, key, other.id, { project: 'both' }),
    ])
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200, 409]))
    const { items, total } = await all(key)
    assert.deepEqual([items.length, total], [2, 2])
    await rename(house, key, one.id, { project: 'One' })
    await rename(house, key, other.id, { project: 'Other' })
  }
})

test('a change on one server shows in another server’s list at once', async () => {
  const second = await openHouse({ databaseUrl: house.databaseUrl })
  try {
    const key = await newMerchant(house)
    await create(house, key, 'One')
    const search = '?search=o&sort_by=project&sort=asc'
    const names = async (at: House): Promise<string[]> => {
      const data: Item[] = (await call(listUrl(at) + search, { key })).json.data
      return data.map((item) => item.project)
    }
    assert.deepEqual([await names(house), await names(second)], [['One'], ['One']])
    const { id } = await create(second, key, 'Other')
    assert.deepEqual(
      [await names(house), await names(second)],
      [
        ['One', 'Other'],
        ['One', 'Other'],
      ],
    )
    await rename(house, key, id, { project: 'Nobody' })
    assert.deepEqual(
      [await names(house), await names(second)],
      [
        ['Nobody', 'One'],
        ['Nobody', 'One'],
      ],
    )
    await call(projectUrl(second, id), { method: 'DELETE', key })
    assert.deepEqual([await names(house), await names(second)], [['One'], ['One']])
  } finally {
    await second.close()
  }
})
