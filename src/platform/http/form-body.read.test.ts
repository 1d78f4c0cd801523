import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { Refusal } from '../errors/refusals.ts'
import type { FormFields } from '../input/form-fields.ts'
import { addFileForms, addFormBodies, formFieldsMax, readMultipart, readUrlencoded } from './form-body.ts'

const notUtf8 = {
  code: 'malformed_body',
  message: 'The request body is not valid UTF-8; give the form accept-charset="utf-8"',
}

test('a urlencoded form is read, the first value of a field counts, and a lone percent sign is refused', () => {
  assert.deepEqual(
    [...readUrlencoded('a=1&b=M%C3%BCller+%26+Co&a=2&c=100%&d=%zz&e=%F0%9F%92%B7')],
    [
      ['a', '1'],
      ['b', 'Müller & Co'],
      ['c', '100%'],
      ['d', '%zz'],
      ['e', '💷'],
    ],
  )
})

test('text in another encoding is refused everywhere, not replaced', () => {
  for (const text of ['a=M%FCller', 'a=M%fcller', 'n%F6te=1', 'a=%C3%BC&b=%C3', 'a=%80', 'a=%c3x%bc']) {
    assert.throws(() => readUrlencoded(text), notUtf8, text)
  }
})

test('a form with more than 1,000 fields is refused, of either kind', async () => {
  const parts = Array.from({ length: formFieldsMax + 1 }, (_, at): Part => [`meta[${at}]`, 'a'])
  const text = parts.map(([name, value]) => `${name}=${value}`)
  const tooMany = { message: 'The form has more than 1,000 fields: send fewer' }
  assert.throws(() => readUrlencoded(text.join('&')), tooMany)
  await assert.rejects(readMultipart('multipart/form-data; boundary=b', multipart(parts)), tooMany)
  assert.equal(readUrlencoded(text.slice(1).join('&')).size, formFieldsMax)
  assert.equal(
    (await readMultipart('multipart/form-data; boundary=b', multipart(parts.slice(1)))).size,
    formFieldsMax,
  )
})

type Part = readonly [name: string, value: string, file?: string]

function multipart(parts: readonly Part[]): Buffer {
  const texts = parts.map(([name, value, file]) => {
    const filename = file === undefined ? '' : `; filename="${file}"`
    return `--b\r\ncontent-disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`
  })
  return Buffer.from(`${texts.join('')}--b--\r\n`, 'latin1')
}

const read = async (parts: readonly Part[]): Promise<FormFields> =>
  readMultipart('multipart/form-data; boundary=b', multipart(parts))

test('a multipart form is read like any other, and takes neither files nor other encodings', async () => {
  assert.deepEqual(
    [
      ...(await read([
        ['a', '1'],
        ['a', '2'],
        ['b[]', '3'],
        ['b[]', '4'],
      ])),
    ],
    [
      ['a', '1'],
      ['b[0]', '3'],
      ['b[1]', '4'],
    ],
  )
  await assert.rejects(read([['note', 'M\xfcller']]), notUtf8)
  for (const content of ['', 'text', '\xff']) {
    const withFile = read([
      ['note', 'a'],
      ['logo', content, 'a.png'],
    ])
    await assert.rejects(withFile, { errors: { logo: ['logo must not be a file'] } })
  }
})

test('malformed multipart data is refused as such', async () => {
  for (const [type, body] of [
    ['multipart/form-data; boundary=other', multipart([['a', '1']])],
    ['multipart/form-data', multipart([['a', '1']])],
    ['multipart/form-data; boundary=b', Buffer.from('a=1')],
  ] as const) {
    await assert.rejects(readMultipart(type, body), {
      code: 'malformed_body',
      message: 'The form is not valid multipart data',
    })
  }
})

test('routes for browser posts accept only forms, with or without files', async () => {
  for (const addTo of [addFormBodies, addFileForms]) {
    const server = fastify()
    addTo(server)
    server.post('/', async ({ body }) => [...(body as FormFields)])
    server.setErrorHandler((error, _, reply) =>
      reply.send(error instanceof Refusal ? `${error.code}: ${error.message}` : 'another error'),
    )
    const post = async (type: string, payload: string | Buffer): Promise<string> =>
      (await server.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload })).body
    const urlencoded = 'application/x-www-form-urlencoded'
    assert.equal(await post(urlencoded, 'a=1'), '[["a","1"]]')
    assert.match(await post(urlencoded, Buffer.from('a=M\xfcller', 'latin1')), /not valid UTF-8$/)
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      assert.equal(
        await post(type, '{"a":1}'),
        'unsupported_media_type: The request body must be application/x-www-form-urlencoded or multipart/form-data',
      )
    }
    await server.close()
  }
})
