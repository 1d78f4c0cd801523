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

test('JSON is read under all its content types, or none', async () => {
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
    'text/plain',
    'text/plain;charset=UTF-8',
    'text/plain; charset=utf-8',
  ]
  for (const type of types) {
    const space = ' \n\t'
    for (const text of [
      '{"a":[1]}',
      '[{}]',
      `${space.repeat(50)}{"a":1}`,
      '\ufeff {"a":1}',
      ' \ufeff{"a":1}',
    ]) {
      const body = JSON.parse(text.replace('\ufeff', '')) as unknown
      assert.deepEqual(await send(type, text), { body, text, form: [] }, `${String(type)} ${text}`)
    }
    assert.deepEqual(await send(type, ''), { body: 'none', text: '', form: [] }, String(type))
  }
})

test('a body of another type is refused', async () => {
  for (const type of ['text/html', 'text/jsonp', 'application/json-seq', 'application/+json', 'xtext/json']) {
    assert.equal(
      await send(type, '{}'),
      'unsupported_media_type: The request body must be JSON: send it with Content-Type: application/json',
      type,
    )
  }
  const refused =
    'unsupported_media_type: The request body must be JSON: send it with Content-Type: application/json'
  for (const text of ['tx_ref=1', 'hello', ' x{}', '   '])
    assert.equal(await send('text/plain', text), refused, text)
})

test('a repeated name in one object is refused, at any depth and however it is written', async () => {
  const rows: [string, string | undefined][] = [
    ['{"amount":1,"amount":2}', 'amount'],
    ['{"a":1, "\\u0061" : 2}', 'a'],
    ['{"meta":{"x":[{"b":1,"b":1}]}}', 'b'],
    ['{"a":{"a":1},"b":[{"a":1},{"a":1}],"c":"a"}', undefined],
    ['{"a":"\\"a\\":1,","b":"a"}', undefined],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ]
  for (const [text, twice] of rows) {
    const answer = await send('application/json', text)
    if (twice === undefined) assert.equal((answer as { text: string }).text, text)
    else assert.equal(answer, `malformed_body: The request body has "${twice}" more than once: send it once`)
  }
})

test('bodies that aren’t valid JSON or text are refused', async () => {
  for (const type of [undefined, 'application/json', 'text/json', form]) {
    const rows: [string, string][] = [
      ['{"a":', 'send one object in { }'],
      ['{"a":1,\n "b":2,}', 'look at line 2, column 8'],
    ]
    for (const [text, hint] of rows)
      assert.equal(await send(type, text), `malformed_body: The request body is not valid JSON: ${hint}`)
    assert.equal(
      await send(type, Buffer.from('{"a":"\xfc"}', 'latin1')),
      'malformed_body: The request body is not valid UTF-8',
    )
  }
})

test('a form becomes an object by its brackets, and its fields and text stay as sent', async () => {
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

test('numbers are written back as they were, and nothing else is changed', () => {
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

test('plain parsing is used only where it loses no digits', () => {
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
