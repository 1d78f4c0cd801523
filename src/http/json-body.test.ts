import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import fastify, { type FastifyInstance } from 'fastify'
import { Refusal } from '../errors/refusals.ts'
import { addJsonBodies, bodyText, formOf, needsExactNumbers, parseExactly } from './json-body.ts'

let server: FastifyInstance
before(() => {
  server = fastify()
  addJsonBodies(server)
  server.post('/', async (request) => ({
    body: request.body ?? 'none',
    text: bodyText(request),
    form: [...(formOf(request) ?? [])],
  }))
  server.setErrorHandler((error, _, reply) => {
    if (!(error instanceof Refusal)) throw error
    return reply.send(`${error.code}: ${error.message}`)
  })
})
after(() => server.close())

async function send(type: string | undefined, payload: string | Buffer): Promise<unknown> {
  const headers = type === undefined ? {} : { 'content-type': type }
  const answer = await server.inject({ method: 'POST', url: '/', headers, payload })
  return answer.body.startsWith('{') ? answer.json() : answer.body
}

const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=b'

test('JSON is read under every name that it has, and under none', async () => {
  const types = [
    undefined,
    '',
    'application/json',
    'application/json; charset=utf-8',
    'text/json',
    'text/json;charset=utf-8',
    'application/vnd.shop.v1+json',
    'application/problem-details+json; charset=utf-8',
    form,
  ]
  for (const type of types) {
    for (const text of ['{"a":[1]}', '[{}]', ' \n\t{"a":1}', '\ufeff{"a":1}']) {
      const body = JSON.parse(text.replace('\ufeff', '')) as unknown
      assert.deepEqual(await send(type, text), { body, text, form: [] }, `${String(type)} ${text}`)
    }
    assert.deepEqual(await send(type, ''), { body: 'none', text: '', form: [] }, String(type))
  }
})

test('a body of another type is refused', async () => {
  for (const type of [
    'text/plain',
    'text/jsonp',
    'application/json-seq',
    'application/+json',
    'xtext/json',
  ]) {
    assert.equal(
      await send(type, '{}'),
      'unsupported_media_type: The request body must be application/json',
      type,
    )
  }
})

test('what can not be read as JSON is refused, as is what is no text', async () => {
  for (const type of [undefined, 'application/json', 'text/json', form]) {
    assert.equal(await send(type, '{"a":'), 'malformed_body: The request body is not valid JSON')
    assert.equal(
      await send(type, Buffer.from('{"a":"\xfc"}', 'latin1')),
      'malformed_body: The request body is not valid UTF-8',
    )
  }
})

test('a form is an object with what its brackets say, and its fields and its text stay as they were sent', async () => {
  const text = 'tx_ref=a&meta[cart][]=1&meta[cart][]=2&note={'
  const body = { tx_ref: 'a', meta: { cart: ['1', '2'] }, note: '{' }
  const fields = [
    ['tx_ref', 'a'],
    ['meta[cart][0]', '1'],
    ['meta[cart][1]', '2'],
    ['note', '{'],
  ]
  assert.deepEqual(await send(form, text), { body, text, form: fields })
  const parts = [...new URLSearchParams(text)].map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const whole = `${parts.join('')}--b--\r\n`
  assert.deepEqual(await send(multipart, whole), { body, text: whole, form: fields })
})

test('what begins like JSON within its first 16 bytes is JSON, and later it is a form', async () => {
  const json = `${' '.repeat(15)}{"a":1}`
  assert.deepEqual(await send(form, json), { body: { a: 1 }, text: json, form: [] })
  const late = `${' '.repeat(16)}{"a":1}`
  assert.deepEqual(await send(form, late), {
    body: { [late]: '' },
    text: late,
    form: [[late, '']],
  })
})

test('numbers are written again as they stood, and nothing else is touched', () => {
  for (const text of [
    '{"a":9007199254740993,"b":[1.10,1e2,-0,0,7],"c":"9007199254740993","d":null,"e":true}',
    '12345678901234567890.10',
    '"1.0"',
    '[]',
  ]) {
    assert.equal(JSON.stringify(parseExactly(text)), text)
  }
  const read = parseExactly('{"a":7,"b":"7","c":[true,null]}')
  assert.deepEqual(read, { a: 7, b: '7', c: [true, null] }, 'what a double holds is a number')
})

test('wherever no exact numbers are needed, none are lost', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const written = JSON.stringify(JSON.parse(text))
      if (!needsExactNumbers(text)) assert.equal(written, JSON.stringify(parseExactly(text)))
    }),
  )
  for (const exact of ['9007199254740993', '1.0', '1e5', '1E5', '1e+5', '-0']) {
    assert.equal(needsExactNumbers(`{"a":${exact}}`), true, exact)
  }
  for (const plain of ['123456789012345', '"a.b"', '-1', '[1,2]']) {
    assert.equal(needsExactNumbers(`{"a":${plain}}`), false, plain)
  }
})
