import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { sendRaw } from '../support/raw-request.ts'

// What a body is made of: its type, its bytes, and whether there is one.

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

async function send(path: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<Answer> {
  const headers = { 'content-type': type, accept: 'application/json' }
  return call(`${house.url}${path}`, {
    method: 'POST',
    key: house.secretKey,
    headers,
    body: body as string,
  })
}

/** One byte an e-mail, as pages and programs wrote before UTF-8. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'latin1'))
}

function refusal({ status, json }: Answer): [number, string | undefined, string] {
  return [status, json.code, json.message]
}

test('JSON that is not UTF-8 is refused, not stored with question marks', async () => {
  const body = paymentRequest({ first_name: 'Müller' })
  const answer = await send('/api/payment', 'application/json', latin1(JSON.stringify(body)))
  assert.deepEqual(refusal(answer), [400, 'malformed_body', 'The request body is not valid UTF-8'])
  assert.equal((await post(`${house.url}/api/payment`, body, house.secretKey)).status, 201)
})

test('Content-Type is ignored on calls without a body', async () => {
  for (const type of [
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]) {
    const body = paymentRequest()
    await post(`${house.url}/api/payment`, body, house.secretKey)
    const cancelled = await send(`/api/transaction/${String(body['tx_ref'])}/cancel`, type, '')
    assert.equal(cancelled.status, 200, type)

    await post(`${house.url}/api/v1/projects`, { project: 'Summer' }, house.apiKey)
    const deleted = await call(`${house.url}/api/v1/projects/Summer`, {
      method: 'DELETE',
      key: house.apiKey,
      headers: { 'content-type': type },
      body: '',
    })
    assert.equal(deleted.status, 200, type)
  }
})

test('a blank content type counts as none, and the body is JSON', async () => {
  for (const blank of ['', ' ', '\t ']) {
    const body = JSON.stringify(paymentRequest())
    const head = [
      'POST /api/payment HTTP/1.1',
      'host: florin',
      `authorization: Bearer ${house.secretKey}`,
      `content-type:${blank}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ]
    const answer = await sendRaw(house.url, `${head.join('\r\n')}\r\n\r\n${body}`)
    assert.equal(answer.status, 201, answer.body)
  }
})

test('a missing required body is refused', async () => {
  for (const type of ['application/json', 'text/plain']) {
    const answer = await send('/api/payment', type, '')
    assert.deepEqual(refusal(answer), [400, 'malformed_body', 'The request body must be a JSON object'])
  }
})

test('a form sent as another type is told what a form is', async () => {
  for (const type of ['application/json', 'text/plain']) {
    assert.deepEqual(refusal(await send('/ext_transfer', type, '{"secret_key":"x"}')), [
      415,
      'unsupported_media_type',
      'The request body must be application/x-www-form-urlencoded or multipart/form-data',
    ])
  }
})

test('a form in another encoding is refused, with how to fix it', async () => {
  const urlencoded = 'application/x-www-form-urlencoded'
  const hint = 'The request body is not valid UTF-8; give the form accept-charset="utf-8"'
  assert.deepEqual(refusal(await send('/ext_transfer', urlencoded, 'first_name=M%FCller')), [
    400,
    'malformed_body',
    hint,
  ])
  const multipart = '--b\r\ncontent-disposition: form-data; name="first_name"\r\n\r\nMüller\r\n--b--\r\n'
  for (const [type, body] of [
    [urlencoded, 'first_name=Müller'],
    ['multipart/form-data; boundary=b', multipart],
  ] as const) {
    assert.equal((await send('/ext_transfer', type, latin1(body))).json.code, 'malformed_body', type)
    assert.equal((await send('/ext_transfer', type, body)).json.message, 'secret_key is required', type)
  }
  // A lone percent sign is no e-mail of any encoding.
  assert.equal(
    (await send('/ext_transfer', urlencoded, 'title=100%&first_name=M%C3%BCller')).json.message,
    'secret_key is required',
  )
})

test('a file in a form is refused by its name, whatever its content', async () => {
  for (const content of ['x', '\u0089PNG\u00ff\u00fe']) {
    const body = `--b\r\ncontent-disposition: form-data; name="logo"; filename="a.png"\r\n\r\n${content}\r\n--b--\r\n`
    const answer = await send('/ext_transfer', 'multipart/form-data; boundary=b', latin1(body))
    assert.deepEqual(answer.json.errors, { logo: ['logo must not be a file'] })
  }
})

test('a compressed form of either type is refused, with the reason', async () => {
  const message = 'The request body must not be compressed: send it without Content-Encoding'
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
    const answer = await call(`${house.url}/ext_transfer`, {
      method: 'POST',
      headers: { 'content-type': type, 'content-encoding': 'gzip', accept: 'application/json' },
      body: '--b\r\ncontent-disposition: form-data; name="title"\r\n\r\nx\r\n--b--\r\n',
    })
    assert.deepEqual(refusal(answer), [415, 'unsupported_media_type', message], type)
  }
})
