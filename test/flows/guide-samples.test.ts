import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ways } from '../../src/cli/trigger/ways.ts'
import { call } from '../support/house.ts'
import { paidPayment } from '../support/refunds.ts'
import {
  callsIn,
  canRunSample,
  isListening,
  openSampleShop,
  type DescribedOperation,
  type SampleShop,
} from '../support/guide-samples.ts'

// The samples of the guide, pasted as they stand. PHP, Python, Ruby and Go run in the long tests.

let shop: SampleShop
before(async () => {
  shop = await openSampleShop()
})
after(() => shop.close())

test('every call of the guide exists in curl, Node, PHP and Python, and with both clients', () => {
  for (const id of shop.operations.keys()) {
    if (id === 'startFromForm') continue
    const found = shop.samples.filter(({ name }) => name === id).map(({ language }) => language)
    assert.deepEqual(found.slice(0, 4), ['curl', 'Node', 'PHP', 'Python'], id)
    const isForListen = isListening(shop.operations.get(id))
    assert.deepEqual(found.slice(-2), isForListen ? ['PHP', 'Python'] : ['JS client', 'PHP client'], id)
  }
})

test('no sample has anything to replace by hand', () => {
  for (const { name, language, code } of shop.samples)
    assert.doesNotMatch(code, /…|order-1001|<[A-Z_]+>|\b(sk|ak|fk)_(test|live)/, `${name} in ${language}`)
})

test('every call in Node runs as pasted', async () => {
  const samples = callsIn(shop, 'Node')
  const ran = await shop.runInNode(samples)
  assert.equal(ran.code, 0, ran.output.slice(-500) + ran.errors)
  const answers = ran.output.split(/^> \w+$/m).slice(1)
  assert.equal(answers.length, samples.length)
  for (const [place, answer] of answers.entries()) assert.ok(answer.trim() !== '', samples[place]?.name ?? '')
})

test('every call with the JavaScript client runs as pasted', async () => {
  const ran = await shop.runInNode(callsIn(shop, 'JS client'))
  assert.equal(ran.code, 0, ran.output.slice(-500) + ran.errors)
  assert.match(ran.output, /checkout_url/)
})

test('every call in curl runs as pasted, and is answered as the guide says', async (context) => {
  for (const sample of callsIn(shop, 'curl')) {
    if (!canRunSample(sample, context)) return
    const { name } = sample
    const ran = await shop.run(sample)
    assert.equal(ran.code, 0, `${name}: ${ran.errors}`)
    assert.ok(ran.output.trim() !== '', name)
    if (!ran.output.startsWith('{"')) continue
    const { status, message } = JSON.parse(ran.output) as { status: string; message: string }
    assert.equal(status, 'success', `${name}: ${ran.output}`)
    const operation = shop.operations.get(name)
    if (operation) assert.ok(goodMessages(operation).includes(message), `${name}: ${message}`)
  }
})

function goodMessages({ responses }: DescribedOperation): (string | undefined)[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.['application/json']?.examples?.['success']?.value.message)
}

/** A request that breaks the rule that the guide shows for this operation. */
function breakingRequest(operation: DescribedOperation, field: string): { url: string; body?: string } {
  const { path, servers, requestBody, parameters = [] } = operation
  const isInPath = parameters.some((each) => each.in === 'path' && each.name === field)
  const tried = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    isInPath && name === field ? '%20' : name,
  )
  const isInQuery = !isInPath && !requestBody
  const url = `${servers?.[0]?.url ?? shop.house.url}${tried}${isInQuery ? `?${field}=none` : ''}`
  const example = requestBody?.content['application/json']?.example
  if (!example) return { url }
  return {
    url,
    body: JSON.stringify(Object.fromEntries(Object.entries(example).filter(([name]) => name !== field))),
  }
}

test('the guide’s sample refusal for a call matches the real one', async () => {
  const { house } = shop
  const { txRef } = await paidPayment(house)
  let seen = 0
  for (const [id, operation] of shop.operations) {
    const shown =
      operation.responses['400']?.content?.['application/json']?.examples?.['validation_failed']?.value
    if (shown === undefined || id === 'startFromForm' || isListening(operation)) continue
    const [field = ''] = Object.keys(shown.errors ?? {})
    const { url, body } = breakingRequest(operation, field)
    const key = url.includes('/api/v1/') ? house.apiKey : house.secretKey
    const answer = await call(url.replace('/transaction/tx_ref/', `/transaction/${txRef}/`), {
      method: operation.method.toUpperCase(),
      key,
      ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
    })
    // What is addressed is looked for before its new name is read.
    if (answer.status === 404) continue
    seen += 1
    assert.deepEqual([answer.status, answer.json.message], [400, shown.message], `${id}: ${answer.text}`)
  }
  assert.ok(seen > 12, `${seen} were tried`)
})

test('the guide names exactly the events that florin trigger knows', async () => {
  const { text } = await call(`${shop.house.url}/docs/testing`)
  const section = /<code>trigger<\/code> knows([^]*?)<code>payment\.expired<\/code>/.exec(text)?.[1] ?? ''
  const named = [...section.matchAll(/<code>([a-z.]+)<\/code>/g)].map((match) => match[1])
  assert.deepEqual(new Set(named), new Set(Object.keys(ways)))
})

test('enums in answers are documented as open; those in requests, and the mode, as closed', async () => {
  const document = JSON.stringify(await (await fetch(`${shop.house.url}/openapi.json`)).json())
  const { components, info } = JSON.parse(document) as {
    components: { schemas: Record<string, { properties: Record<string, Record<string, unknown>> }> }
    info: { license: object }
  }
  const { status = {}, mode } = components.schemas['Transaction']?.properties ?? {}
  assert.ok((status['x-extensible-enum'] as string[]).includes('success') && !('enum' in status))
  assert.match(String(status['description']), /More values may be added\.$/)
  assert.deepEqual(mode?.['enum'], ['test', 'live'])
  assert.deepEqual(info.license, { name: 'Apache License 2.0', identifier: 'Apache-2.0' })
  assert.match(
    (await call(`${shop.house.url}/docs/payments`)).text,
    /one of pending, success, [^<]*more may be added/,
  )
})
