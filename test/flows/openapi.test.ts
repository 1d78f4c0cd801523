import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { answerSchema, type Operation } from '../../src/platform/http/openapi/openapi.ts'
import { routesOf } from '../../src/platform/http/server.ts'
import { namesOf, paymentIpnEvents } from '../../src/core/notifications/events.ts'
import { disputeOperations } from '../../src/modules/disputes/api/operations.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { payoutOperations } from '../../src/modules/payouts/api/operations.ts'
import { payoutEventExample, payoutEventSchema } from '../../src/modules/payouts/api/webhooks.ts'
import { events } from '../../src/app/modules.ts'
import { payoutIpnEvents } from '../../src/modules/payouts/state-machine.ts'
import { refundIpnEvents } from '../../src/modules/refunds/state-machine.ts'
import { paymentOperations } from '../../src/core/payments/api/operations.ts'
import { eventExample, eventSchema } from '../../src/core/payments/api/webhooks.ts'
import { refundOperations } from '../../src/modules/refunds/api/operations.ts'
import { refundEventExample, refundEventSchema } from '../../src/modules/refunds/api/webhooks.ts'
import { sampleRefund } from '../../src/modules/refunds/api/sample-refund.ts'
import { sampleTransaction } from '../../src/core/payments/sample-transaction.ts'
import { createProject } from '../../src/core/projects/create-project.ts'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

// The description of the API is held against the API: every operation is called, every answer validated.

let house: House
const ajv = new Ajv2020({ strict: false, formats: { uri: true, email: true } })

before(async () => {
  house = await openHouse()
})
after(() => house.close())

function conforms(operation: Operation, answer: Answer): void {
  const described = operation.answers.find((each) => each.status === answer.status)
  assert.ok(described, `${operation.id} answered ${answer.status}, which is not described: ${answer.text}`)
  if (answer.status === 303) return assert.match(answer.headers.get('location') ?? '', /\/payment\/\d{32}$/)
  if (described.file !== undefined)
    return assert.equal(answer.headers.get('content-type')?.split(';')[0], described.file)
  const schema = answerSchema(described)
  const validate = ajv.compile(schema)
  assert.ok(validate(answer.json), `${operation.id}: ${ajv.errorsText(validate.errors)} in ${answer.text}`)
  // In words only: a condition in the schema makes linters and generators stumble.
  assert.equal('errors' in answer.json, answer.json.code === 'validation_failed', answer.text)
}

function find(id: string): Operation {
  const operation = [...paymentOperations, ...disputeOperations, ...payoutOperations].find(
    (each) => each.id === id,
  )
  assert.ok(operation, id)
  return operation
}

async function form(fields: Record<string, unknown>): Promise<Answer> {
  return call(`${house.url}/ext_transfer`, {
    method: 'POST',
    body: new URLSearchParams(fields as Record<string, string>).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  })
}

test('every payment operation answers as documented, good and bad', async () => {
  await createProject(house.db, house.merchantId, { project: 'Summer sale' })
  const request = paymentRequest({ project: 'Summer sale', metadata: {} })
  const txRef = String(request['tx_ref'])
  const at = (path: string): string => house.url + path
  const key = house.secretKey
  conforms(find('createPayment'), await post(at('/api/payment'), request, key))
  conforms(find('createPayment'), await post(at('/api/payment'), request, key))
  conforms(find('createPayment'), await post(at('/api/payment'), {}, key))
  conforms(find('createPayment'), await post(at('/api/payment'), request))
  conforms(find('findTransaction'), await call(at(`/api/transaction/${txRef}`), { key }))
  conforms(find('findTransaction'), await call(at('/api/transaction/none'), { key }))
  conforms(find('listTransactions'), await call(at('/api/transactions'), { key }))
  conforms(find('listTransactions'), await call(at('/api/transactions?limit=x'), { key }))
  const summed = await call(at('/api/transactions?totals=true&status=pending'), { key })
  conforms(find('listTransactions'), summed)
  assert.match(summed.text, /"totals":\[\{"currency":"GBP","status":"pending","count":1,/)
  conforms(find('findAccount'), await call(at('/api/account'), { key }))
  conforms(find('findAccount'), await call(at('/api/account'), { key: house.apiKey }))
  conforms(find('findAccount'), await call(at('/api/account')))
  conforms(find('findAccount'), await call(at('/api/account?page=2'), { key }))
  conforms(find('listDisputes'), await call(at('/api/disputes'), { key }))
  conforms(find('listDisputes'), await call(at('/api/disputes?page=2'), { key }))
  conforms(find('findDispute'), await call(at('/api/disputes/dsp_none'), { key }))
  conforms(find('listPayouts'), await call(at('/api/payouts'), { key }))
  conforms(find('listPayouts'), await call(at('/api/payouts?status=gone'), { key }))
  conforms(find('payOutNow'), await call(at('/api/payouts'), { method: 'POST', key }))
  conforms(find('payOutNow'), await call(at('/api/payouts'), { method: 'POST', key: house.liveKey }))
  conforms(find('findPayout'), await call(at('/api/payouts/po_none'), { key }))
  conforms(find('listPayoutLines'), await call(at('/api/payouts/po_none/lines'), { key }))
  conforms(find('findBalance'), await call(at('/api/balance'), { key }))
  conforms(find('findBalance'), await call(at('/api/balance?page=2'), { key }))
  conforms(find('exportTransactions'), await call(at('/api/transactions.csv'), { key }))
  conforms(find('exportTransactions'), await call(at('/api/transactions.csv?page=2'), { key }))
  const cancel = (): Promise<Answer> => call(at(`/api/transaction/${txRef}/cancel`), { method: 'POST', key })
  conforms(find('cancelTransaction'), await cancel())
  conforms(find('cancelTransaction'), await cancel())
  conforms(find('startFromForm'), await form({ ...paymentRequest(), secret_key: key }))
  conforms(find('startFromForm'), await form({ secret_key: key }))
  conforms(find('startFromForm'), await form({}))
  conforms(find('listFormRefusals'), await call(at('/api/form-refusals'), { key }))
  conforms(find('listFormRefusals'), await call(at('/api/form-refusals?page=2'), { key }))
})

test('general errors are documented: broken, large and foreign bodies, and live keys', async () => {
  const shut = await createMerchant(house.db, { name: 'Not live yet' })
  const live = await createKey(house.db, shut, { kind: 'secret', mode: 'live', name: 'live' })
  const create = async (body: string, type: string, key = house.secretKey): Promise<Answer> =>
    call(`${house.url}/api/payment`, { method: 'POST', body, headers: { 'content-type': type }, key })
  const json = 'application/json'
  const answers = [
    await create('{', json),
    await create(`"${'x'.repeat(70_000)}"`, json),
    await create('<pay/>', 'text/xml'),
    await create('{}', json, live.key),
  ]
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [400, 413, 415, 403],
  )
  for (const answer of answers) conforms(find('createPayment'), answer)
})

test('the examples are real: sending the example request gives the example answers', async () => {
  const operation = find('createPayment')
  const created = await post(`${house.url}/api/payment`, operation.body?.example, house.secretKey)
  const link = operation.answers.find(({ status }) => status === 201)?.example as {
    data: { checkout_url: string }
  }
  assert.deepEqual(blur(created.json), blur(link))

  const found = await call(`${house.url}/api/transaction/order-1001`, { key: house.secretKey })
  assert.deepEqual(
    blur(found.json),
    blur(find('findTransaction').answers.find(({ status }) => status === 200)?.example),
  )
})

/** What differs at each run: numbers in links, our reference, times. */
function blur(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/https?:\/\/[^"]*\/payment\/\d{32}/g, 'LINK')
    .replace(/FL[2-9A-Z]{12}/g, 'REFERENCE')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
  return JSON.parse(text)
}

type Described = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  responses: Record<string, object>
}
type Document = {
  info: { version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Described>>
  webhooks: Record<string, object>
  components: { schemas: Record<string, { properties: Record<string, { additionalProperties?: unknown }> }> }
}

test('the document is OpenAPI 3.1, and names exactly the API’s routes', async () => {
  const answer = await call(`${house.url}/openapi.json`)
  const document = answer.json as unknown as {
    openapi: string
    paths: Record<string, Record<string, { operationId: string }>>
  }
  assert.equal(document.openapi, '3.1.0')
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = routesOf(house.app.server)
    .filter(
      ({ method, url }) =>
        method !== 'HEAD' && /^\/(api|ext_transfer)/.test(url) && url !== '/api/transaction',
    )
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
  assert.deepEqual(served.toSorted(), described.toSorted())
})

test('the document passes linters: names, tags, references, failures', async () => {
  const document = (await call(`${house.url}/openapi.json`)).json as unknown as Document
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  assert.equal(document.info.version, version)

  const schemas = Object.keys(document.components.schemas)
  for (const name of ['Transaction', 'PaymentLink', 'Project', 'Notification', 'Failure', 'PaymentEvent'])
    assert.ok(schemas.includes(name), name)
  for (const [, name] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
    assert.ok(schemas.includes(name ?? ''), `${name} is not there`)
  assert.doesNotMatch(JSON.stringify(document.components), /"(anyOf|oneOf|allOf)"/)

  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const ids = described.map((operation) => operation.operationId)
  assert.equal(new Set(ids).size, ids.length)
  const tags = document.tags.map((tag) => tag.name)
  for (const { operationId, tags: own, summary, description, responses } of described) {
    assert.ok(summary && description && own.every((tag) => tags.includes(tag)), operationId)
    for (const status of ['401', '429', '500', '503'])
      assert.ok(responses[status], `${operationId} ${status}`)
    assert.ok(
      Object.keys(responses).some((status) => status.startsWith('2')),
      operationId,
    )
  }
})

test('meta is free: any keys, in and out', async () => {
  const document = (await call(`${house.url}/openapi.json`)).json as unknown as Document
  for (const name of ['PaymentRequest', 'Transaction', 'PaymentEvent'])
    assert.equal(document.components.schemas[name]?.properties['meta']?.additionalProperties, true)
})

/** What an event changes of a payment. */
function saidOf(payload: object): (string | undefined)[] {
  const { status, dispute } = payload as { status: string; dispute?: { status: string } }
  return [status, dispute?.status]
}

test('every event is documented with a payload of its real shape', async () => {
  const document = (await call(`${house.url}/openapi.json`)).json as unknown as Document
  assert.deepEqual(Object.keys(document.webhooks), namesOf(events))
  const validate = ajv.compile(eventSchema)
  for (const event of paymentIpnEvents) {
    assert.ok(validate(eventExample(event)), `${event}: ${ajv.errorsText(validate.errors)}`)
    const sent = { event, ...(JSON.parse(sampleTransaction('test', event)) as object) }
    assert.ok(validate(sent), `${event}: ${ajv.errorsText(validate.errors)}`)
    assert.deepEqual(saidOf(eventExample(event)), saidOf(sent), event)
  }
  const validateRefund = ajv.compile(refundEventSchema)
  for (const event of refundIpnEvents) {
    assert.ok(validateRefund(refundEventExample(event)), `${event}: ${ajv.errorsText(validateRefund.errors)}`)
    const sent = { event, ...JSON.parse(sampleRefund('test', event)) }
    assert.ok(validateRefund(sent), `${event}: ${ajv.errorsText(validateRefund.errors)}`)
  }
  const validatePayout = ajv.compile(payoutEventSchema)
  for (const event of payoutIpnEvents) {
    assert.ok(validatePayout(payoutEventExample(event)), `${event}: ${ajv.errorsText(validatePayout.errors)}`)
    const sent = { event, ...JSON.parse(events.find(({ name }) => name === event)?.sample('test') ?? '') }
    assert.ok(validatePayout(sent), `${event}: ${ajv.errorsText(validatePayout.errors)}`)
  }
})

test('every example of a payment operation has the documented shape', () => {
  const operations = [...paymentOperations, ...refundOperations, ...disputeOperations, ...payoutOperations]
  for (const { id, answers } of operations) {
    for (const answer of answers) {
      const { status, example, file } = answer
      if (example === undefined || file !== undefined) continue
      const validate = ajv.compile(answerSchema(answer))
      assert.ok(
        validate(JSON.parse(JSON.stringify(example))),
        `${id} ${status}: ${ajv.errorsText(validate.errors)}`,
      )
    }
  }
})
