import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { call, openHouse, type House } from '../support/house.ts'
import { body, create, listUrl, newMerchant, type Item } from '../support/project-calls.ts'

const path = 'http://127.0.0.1:3000/api/v1/projects'
let house: House
let list: string

before(async () => {
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '100000' } })
  list = listUrl(house)
})
after(() => house.close())

test('an empty list is one empty page', async () => {
  const answer = await call(list, { key: await newMerchant(house) })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.deepEqual(body(answer), {
    status: 'success',
    message: 'Projects',
    data: [],
    links: { first: `${path}?page=1`, last: `${path}?page=1`, prev: null, next: null },
    meta: { current_page: 1, from: null, to: null, last_page: 1, per_page: 10, total: 0, path },
  })
})

test('Links keep the other parameters, and pages have from and to', async () => {
  const key = await newMerchant(house)
  for (let number = 1; number <= 23; number += 1) await create(house, key, `Shop & Söhne ${number}`)
  const query = 'search=S%C3%96HNE+&sort_by=created_at&sort=asc&per_page=10'
  const kept = 'search=S%C3%96HNE+&sort_by=created_at&sort=asc&per_page=10'
  const answer = await call(`${list}?${query}&page=2`, { key })
  const { data, ...frame } = body(answer) as { data: Item[] }
  assert.deepEqual(
    data.map((item) => item.project),
    Array.from({ length: 10 }, (_, at) => `Shop & Söhne ${at + 11}`),
  )
  assert.deepEqual(frame, {
    status: 'success',
    message: 'Projects',
    links: {
      first: `${path}?${kept}&page=1`,
      last: `${path}?${kept}&page=3`,
      prev: `${path}?${kept}&page=1`,
      next: `${path}?${kept}&page=3`,
    },
    meta: { current_page: 2, from: 11, to: 20, last_page: 3, per_page: 10, total: 23, path },
  })
  const beyond = body(await call(`${list}?page=99`, { key })) as {
    links: object
    meta: object
    data: unknown
  }
  assert.deepEqual(beyond.data, [])
  assert.deepEqual(beyond.links, {
    first: `${path}?page=1`,
    last: `${path}?page=3`,
    prev: `${path}?page=3`,
    next: null,
  })
  assert.deepEqual(beyond.meta, {
    current_page: 99,
    from: null,
    to: null,
    last_page: 3,
    per_page: 10,
    total: 23,
    path,
  })
})

test('the newest project comes first by default', async () => {
  const key = await newMerchant(house)
  for (const name of ['b', 'C', 'a']) await create(house, key, name)
  const names = async (query: string): Promise<string[]> => {
    const data: Item[] = (await call(`${list}?${query}`, { key })).json.data
    return data.map((item) => item.project)
  }
  assert.deepEqual(await names(''), ['a', 'C', 'b'])
  assert.deepEqual(await names('search='), ['a', 'C', 'b'])
  assert.deepEqual(await names('sort=asc'), ['b', 'C', 'a'])
  assert.deepEqual(await names('sort_by=project'), ['C', 'b', 'a'])
  assert.deepEqual(await names('sort_by=project&sort=asc&search_by=project'), ['a', 'b', 'C'])
})

type Refused = { query: string; errors: Record<string, string[]> }
const perPage = 'per_page must be one of 10, 25, 50, 100'
const page = 'page must be a whole number from 1 to 999,999,999'
const refusedQueries: Refused[] = [
  { query: 'search_by=name', errors: { search_by: ['search_by must be one of project'] } },
  ...['limit', 'lang', 'name'].map((name) => ({
    query: `${name}=1`,
    errors: {
      [name]: [`${name} is not a known parameter, use search, search_by, sort_by, sort, per_page, page`],
    },
  })),
  { query: 'sort_by=name', errors: { sort_by: ['sort_by must be one of created_at, project'] } },
  { query: 'sort_by=created_at;drop', errors: { sort_by: ['sort_by must be one of created_at, project'] } },
  { query: 'sort=DESC', errors: { sort: ['sort must be one of desc, asc'] } },
  { query: 'sort=up', errors: { sort: ['sort must be one of desc, asc'] } },
  { query: 'sort=asc&sort=desc', errors: { sort: ['sort must be sent only once'] } },
  ...['0', '1', '11', '1000', '-10', '10.0', '010', 'ten'].map((value) => ({
    query: `per_page=${value}`,
    errors: { per_page: [perPage] },
  })),
  ...['0', '-1', '1.5', '01', 'two', '1e3', '1000000000'].map((value) => ({
    query: `page=${value}`,
    errors: { page: [page] },
  })),
  { query: 'page=1&page=2', errors: { page: ['page must be sent only once'] } },
  { query: `search=${'x'.repeat(256)}`, errors: { search: ['search must be at most 255 characters'] } },
  { query: 'search=%00', errors: { search: ['search must not contain control characters'] } },
  { query: 'search=a&search=b', errors: { search: ['search must be sent only once'] } },
  {
    query: 'page=0&per_page=7&sort=x',
    errors: { sort: ['sort must be one of desc, asc'], per_page: [perPage], page: [page] },
  },
]

for (const { query, errors } of refusedQueries) {
  test(`the list refuses ?${query.slice(0, 40)}`, async () => {
    const answer = await call(`${list}?${query}`, { key: house.apiKey })
    const message = Object.values(errors)[0]?.[0]
    assert.equal(answer.status, 400)
    assert.deepEqual(body(answer), {
      status: 'failed',
      message,
      data: null,
      code: 'validation_failed',
      errors,
    })
  })
}
