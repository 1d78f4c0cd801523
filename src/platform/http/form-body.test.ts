import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { Refusal } from '../errors/refusals.ts'
import { addFileForms, type FormWithFiles } from './form-body.ts'

type Part = { readonly name: string; readonly value: string; readonly file?: string }

/** As a browser would send it, each letter as one byte. */
async function post(parts: readonly Part[]): Promise<unknown> {
  const server = fastify()
  addFileForms(server)
  server.post('/', async (request) => {
    const { fields, files } = request.body as FormWithFiles
    return {
      note: fields.get('note'),
      files: [...files].map(([name, bytes]) => [name, bytes.toString('hex')]),
    }
  })
  server.setErrorHandler((error, _, reply) =>
    reply.send(error instanceof Refusal ? error.code : 'another error'),
  )
  const body = parts.map(({ name, value, file }) => {
    const filename = file === undefined ? '' : `; filename="${file}"`
    return `--b\r\ncontent-disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`
  })
  const answer = await server.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: Buffer.from(`${body.join('')}--b--\r\n`, 'latin1'),
  })
  await server.close()
  return answer.body.startsWith('{') ? answer.json() : answer.body
}

test('in a form with files, text is text, files may be anything, and the first value counts', async () => {
  const form = [
    { name: 'note', value: 'hello' },
    { name: 'logo', value: '\xff\xd8', file: 'a.jpg' },
    { name: 'logo', value: 'another', file: 'b.jpg' },
  ]
  assert.deepEqual(await post(form), { note: 'hello', files: [['logo', 'ffd8']] })
})

test('a text in another encoding is refused beside a file, in value and name', async () => {
  const file = { name: 'logo', value: '\xff', file: 'a.jpg' }
  const text = { name: 'plain', value: 'text' }
  assert.equal(await post([text, { name: 'note', value: 'M\xfcller' }, file]), 'malformed_body')
  assert.equal(await post([text, { name: 'n\xf6te', value: 'Miller' }, file]), 'malformed_body')
})
