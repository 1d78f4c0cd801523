import assert from 'node:assert/strict'
import { request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { call, openHouse, post, type Answer, type House } from '../../test/support/house.ts'
import { createKey } from '../merchants/change-keys.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import type { ProjectItem } from './present.ts'

const path = 'http://127.0.0.1:3000/api/v1/projects'
let house: House
let list: string

before(async () => {
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '100000' } })
  list = `${house.url}/api/v1/projects`
})
after(() => house.close())

/** A merchant of its own, so that tests do not see one another's projects. */
async function newMerchant(): Promise<string> {
  const id = await createMerchant(house.db, { name: 'Another shop' })
  return (await createKey(house.db, id, { kind: 'api', name: 'api' })).key
}

async function create(key: string, project: string): Promise<ProjectItem> {
  const answer = await post(list, { project }, key)
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data
}

const one = (project: string): string => `${list}/${encodeURIComponent(project)}`

async function patch(url: string, body: unknown, key: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return call(url, { method: 'PATCH', body: JSON.stringify(body), key, headers })
}

function body(answer: Answer): unknown {
  return JSON.parse(answer.text)
}

const notFound = { status: 'failed', message: 'Project not found', data: null, code: 'not_found' }
const taken = {
  status: 'failed',
  message: 'project has been used before',
  data: null,
  code: 'name_taken',
}

test('An empty list is one empty page', async () => {
  const answer = await call(list, { key: await newMerchant() })
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

test('A project is created, found by id and by name, renamed and deleted', async () => {
  const key = await newMerchant()
  const created = await post(list, { project: 'Summer sale', colour: 'ignored' }, key)
  const project: ProjectItem = created.json.data
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
    assert.deepEqual(body(await call(one(name), { key })), found)
  }

  const renamed = await patch(one('summer sale'), { project: 'Winter sale' }, key)
  const changed: ProjectItem = renamed.json.data
  assert.equal(renamed.status, 200)
  assert.ok(changed.updated_at > project.updated_at)
  assert.deepEqual(body(renamed), {
    status: 'success',
    message: 'Project renamed',
    data: { ...project, project: 'Winter sale', updated_at: changed.updated_at },
  })
  assert.deepEqual(body(await call(one('Summer sale'), { key })), notFound)

  const deleted = await call(one('Winter sale'), { method: 'DELETE', key })
  assert.equal(deleted.status, 200)
  assert.deepEqual(body(deleted), {
    status: 'success',
    message: 'Project deleted',
    data: { id: project.id, project: 'Winter sale', deleted: true },
  })
  const calls = ['GET', 'DELETE'].map((method) => call(one(project.id), { method, key }))
  for (const answer of await Promise.all([...calls, patch(one(project.id), { project: 'x' }, key)])) {
    assert.equal(answer.status, 404)
    assert.deepEqual(body(answer), notFound)
  }
})

test('A name is taken without regard to case until its project is deleted', async () => {
  const key = await newMerchant()
  const street = await create(key, 'Straße')
  await create(key, 'Ж')
  assert.equal((await post(list, { project: 'STRASSE' }, key)).status, 409)
  assert.deepEqual(body(await post(list, { project: 'straẞe' }, key)), taken)
  assert.deepEqual(body(await patch(one('ж'), { project: 'strasse' }, key)), taken)
  assert.equal((await patch(one(street.id), { project: 'STRASSE' }, key)).status, 200, 'its own name')
  assert.equal((await post(list, { project: 'strasse' }, await newMerchant())).status, 201, 'elsewhere')
  await call(one('STRASSE'), { method: 'DELETE', key })
  assert.notEqual((await create(key, 'Straße')).id, street.id)
})

test('Names with any character can stand in an address', async () => {
  const key = await newMerchant()
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
    const { id } = await create(key, name)
    assert.equal((await call(one(name), { key })).json.message, 'Project details', name)
    const deleted = await call(one(name), { method: 'DELETE', key })
    assert.deepEqual(deleted.json.data, { id, project: name, deleted: true })
  }
})

test('A name that can not be is not found', async () => {
  const key = await newMerchant()
  await create(key, 'a')
  for (const name of ['a\0', '\0', 'prj_0123456789ABCDEF', '%', '_', 'x'.repeat(300), "' or 1=1 --"]) {
    const answer = await call(one(name), { method: 'DELETE', key })
    assert.deepEqual([answer.status, body(answer)], [404, notFound])
  }
})

test('A DELETE that names a content type but has no body deletes', async () => {
  const key = await newMerchant()
  await create(key, 'a')
  const headers = { 'content-type': 'application/json' }
  assert.equal((await call(one('a'), { method: 'DELETE', key, headers })).status, 200)
})

test('A merchant sees and changes its own projects only', async () => {
  const [mine, other] = [await newMerchant(), await newMerchant()]
  const { id } = await create(mine, 'Mine')
  assert.deepEqual((await call(list, { key: other })).json.data, [])
  for (const project of [id, 'Mine']) {
    const answers = [
      await call(one(project), { key: other }),
      await call(one(project), { key: other, method: 'DELETE' }),
      await patch(one(project), { project: 'Yours' }, other),
    ]
    for (const answer of answers) assert.deepEqual([answer.status, body(answer)], [404, notFound])
  }
  assert.equal((await call(one(id), { key: mine })).status, 200)
})

type Refused = { query: string; errors: Record<string, string[]> }
const perPage = 'per_page must be one of 10, 25, 50, 100'
const page = 'page must be a whole number from 1 to 999,999,999'
const refusedQueries: Refused[] = [
  { query: 'search_by=name', errors: { search_by: ['search_by must be one of project'] } },
  { query: 'search_by=', errors: { search_by: ['search_by must be one of project'] } },
  { query: 'sort_by=name', errors: { sort_by: ['sort_by must be one of created_at, project'] } },
  { query: 'sort_by=created_at;drop', errors: { sort_by: ['sort_by must be one of created_at, project'] } },
  { query: 'sort=DESC', errors: { sort: ['sort must be one of desc, asc'] } },
  { query: 'sort=up', errors: { sort: ['sort must be one of desc, asc'] } },
  { query: 'sort=asc&sort=desc', errors: { sort: ['sort must be given once'] } },
  ...['0', '1', '11', '1000', '-10', '10.0', '010', 'ten', ''].map((value) => ({
    query: `per_page=${value}`,
    errors: { per_page: [perPage] },
  })),
  ...['0', '-1', '1.5', '01', 'two', '', '1e3', '1000000000'].map((value) => ({
    query: `page=${value}`,
    errors: { page: [page] },
  })),
  { query: 'page=1&page=2', errors: { page: ['page must be given once'] } },
  { query: `search=${'x'.repeat(256)}`, errors: { search: ['search must be at most 255 characters'] } },
  { query: 'search=%00', errors: { search: ['search must not contain control characters'] } },
  { query: 'search=a&search=b', errors: { search: ['search must be given once'] } },
  {
    query: 'page=0&per_page=7&sort=x',
    errors: { sort: ['sort must be one of desc, asc'], per_page: [perPage], page: [page] },
  },
]

for (const { query, errors } of refusedQueries) {
  test(`The list refuses ?${query.slice(0, 40)}`, async () => {
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

const refusedBodies: [string, unknown, object][] = [
  ['no name', {}, { project: ['project is required'] }],
  ['a number', { project: 1 }, { project: ['project must be a string'] }],
  ['a long name', { project: 'x'.repeat(256) }, { project: ['project must be at most 255 characters'] }],
]

for (const [what, sent, errors] of refusedBodies) {
  test(`Create and rename refuse ${what}`, async () => {
    const key = await newMerchant()
    await create(key, 'a')
    for (const answer of [await post(list, sent, key), await patch(one('a'), sent, key)]) {
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

test('Create refuses a body that is not a JSON object', async () => {
  for (const sent of ['[]', '"a"', 'null', '{']) {
    const answer = await post(list, sent, house.apiKey)
    assert.deepEqual([answer.status, answer.json.code], [400, 'malformed_body'])
  }
})

test('Only an API key opens projects, and the answer names the right kind', async () => {
  const refusal = (message: string): object => ({
    status: 'failed',
    message,
    data: null,
    code: 'unauthorized',
  })
  const cases: [string | undefined, string][] = [
    [undefined, 'Authorization is required'],
    [house.secretKey, 'Invalid API key'],
    [house.liveKey, 'Invalid API key'],
    [`${house.apiKey.slice(0, -1)}!`, 'Invalid API key'],
  ]
  for (const [key, message] of cases) {
    for (const [method, url] of [
      ['GET', list],
      ['POST', list],
      ['GET', one('a')],
      ['PATCH', one('a')],
      ['DELETE', one('a')],
    ] as const) {
      const answer = await call(url, { method, ...(key !== undefined && { key }) })
      assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'])
      assert.deepEqual(body(answer), refusal(message))
    }
  }
  const groupA = await call(`${house.url}/api/transaction/a`, { key: house.apiKey })
  assert.deepEqual([groupA.status, body(groupA)], [401, refusal('Invalid secret key')])
})

test('Links keep the other parameters, and pages have from and to', async () => {
  const key = await newMerchant()
  for (let number = 1; number <= 23; number += 1) await create(key, `Shop & Söhne ${number}`)
  const query = 'search=S%C3%96HNE+&sort_by=created_at&sort=asc&per_page=10&lang=de'
  const kept = 'search=S%C3%96HNE+&sort_by=created_at&sort=asc&per_page=10&lang=de'
  const answer = await call(`${list}?${query}&page=2`, { key })
  const { data, ...frame } = body(answer) as { data: ProjectItem[] }
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

test('The newest project comes first unless asked otherwise', async () => {
  const key = await newMerchant()
  for (const name of ['b', 'C', 'a']) await create(key, name)
  const names = async (query: string): Promise<string[]> => {
    const data: ProjectItem[] = (await call(`${list}?${query}`, { key })).json.data
    return data.map((item) => item.project)
  }
  assert.deepEqual(await names(''), ['a', 'C', 'b'])
  assert.deepEqual(await names('search='), ['a', 'C', 'b'])
  assert.deepEqual(await names('sort=asc'), ['b', 'C', 'a'])
  assert.deepEqual(await names('sort_by=project'), ['C', 'b', 'a'])
  assert.deepEqual(await names('sort_by=project&sort=asc&search_by=project'), ['a', 'b', 'C'])
})

test('A key that asks too often is told to wait', async () => {
  const strict = await openHouse({ settings: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1' } })
  try {
    const url = `${strict.url}/api/v1/projects`
    const answers = await Promise.all([1, 2].map(() => call(url, { key: strict.apiKey })))
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 429])
  } finally {
    await strict.close()
  }
})

test('Bound to its host, the projects API answers there and nowhere else', async () => {
  const settings = { SEO_URL: 'https://projects.example.com', PROJECTS_ON_SEO_HOST_ONLY: 'on' }
  const bound = await openHouse({ settings })
  try {
    const ask = async (host: string): Promise<[number | undefined, unknown]> => {
      const headers = { host, authorization: `Bearer ${bound.apiKey}` }
      const asking = send(`${bound.url}/api/v1/projects`, { headers }).end()
      const answer = await new Promise<import('node:http').IncomingMessage>((resolve) =>
        asking.once('response', resolve),
      )
      return [answer.statusCode, JSON.parse(await text(answer))]
    }
    const nothing = {
      status: 'failed',
      message: 'There is nothing at this address',
      data: null,
      code: 'not_found',
    }
    for (const host of [
      '127.0.0.1:3000',
      'example.com',
      'projects.example.com:8443',
      'projects.example.com.evil',
      '@',
    ]) {
      assert.deepEqual(await ask(host), [404, nothing], host)
    }
    for (const host of ['projects.example.com', 'Projects.Example.COM', 'projects.example.com:443']) {
      const [status, answer] = await ask(host)
      assert.equal(status, 200)
      const { meta } = answer as { meta: { path: string } }
      assert.equal(meta.path, 'https://projects.example.com/api/v1/projects')
    }
  } finally {
    await bound.close()
  }
})

test('Payments are created into a project by id or name, and keep it when it is deleted', async () => {
  const { id } = await create(house.apiKey, 'Fair')
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
  assert.equal((await call(one('Fair'), { method: 'DELETE', key: house.apiKey })).status, 200)
  const kept = await call(`${house.url}/api/transaction/by-id`, { key: house.secretKey })
  assert.equal(kept.status, 200)
  const late = await post(
    `${house.url}/api/payment`,
    { ...payment, tx_ref: 'late', project: id },
    house.secretKey,
  )
  assert.deepEqual([late.status, late.json.message], [400, 'project must be one of your projects'])
})
