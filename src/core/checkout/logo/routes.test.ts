import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import type { ModelChanges } from '../../../../test/support/page-model.ts'
import { ask, merchantId, scriptCheckout, send } from '../../../../test/support/scripted-checkout.ts'
import { addFormBodies } from '../../../platform/http/form-body.ts'
import type { Server } from '../../../platform/http/server.ts'
import type { Checkout } from '../checkout.ts'
import { addLogos } from './routes.ts'

const picture = { type: 'image/png', bytes: Buffer.from('a picture') }
const asPicture = {
  'content-type': 'image/png',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline',
}

/** A checkout whose pictures are there or not, and which of them were asked for. */
function scripted(payment: ModelChanges, isThere = true, isOwnMachine = false) {
  const wanted: unknown[] = []
  const find = async (...question: unknown[]) => {
    wanted.push(question)
    return isThere ? picture : undefined
  }
  const pictures = { byId: find, fetched: find, look: async () => 'there' }
  const { checkout } = scriptCheckout({
    payment,
    checkout: { pictures, isOwnMachine } as unknown as Partial<Checkout>,
  })
  return { checkout, wanted }
}

function headersOf(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = [...Object.keys(asPicture), 'cross-origin-resource-policy']
  return Object.fromEntries(names.filter((name) => name in headers).map((name) => [name, headers[name]]))
}

test('a merchant’s logo is found by merchant and id, and other sites’ mail readers may embed it', async () => {
  const id = '0123456789abcdef'.repeat(2)
  const get = async (path: string, isThere = true) => {
    const { checkout, wanted } = scripted({}, isThere)
    const server = fastify() as unknown as Server
    addFormBodies(server)
    addLogos(server, checkout)
    const answer = await send(server, path)
    const again = await send(server, path)
    await server.close()
    return { ...answer, again: again.status, wanted: wanted[0] }
  }
  const found = await get(`/logo/${merchantId}/${id}`)
  assert.deepEqual([found.status, found.body, found.wanted], [200, 'a picture', [merchantId, id]])
  assert.deepEqual(headersOf(found.headers), {
    ...asPicture,
    'cross-origin-resource-policy': 'cross-origin',
  })
  for (const path of [
    `/logo/0${merchantId}/${id}`,
    `/logo/02345678/${id}`,
    `/logo/1234567/${id}`,
    `/logo/${merchantId}/${id}0`,
    `/logo/${merchantId}/${id.slice(1)}`,
    `/logo/${merchantId}/${id.toUpperCase()}`,
  ]) {
    const odd = await get(path)
    assert.deepEqual([odd.status, odd.wanted], [404, undefined], `${path} is no address`)
    assert.equal(odd.again, 429, 'who guesses has to wait')
  }
  const gone = await get(`/logo/${merchantId}/${id}`, false)
  assert.deepEqual([gone.status, gone.again, gone.wanted], [404, 429, [merchantId, id]])
})

test('Florin fetches a payment’s logo itself, and from its own network only for its developer', async () => {
  const logo = 'https://shop.example/logo.png'
  const get = async (payment: ModelChanges, isThere = true, isOwnMachine = false) => {
    const { checkout, wanted } = scripted(payment, isThere, isOwnMachine)
    const { status, body, headers } = await ask(addLogos, checkout, '/logo')
    return { status, body, headers, wanted }
  }
  for (const [mode, isOwnMachine, scope] of [
    ['test', true, 'local'],
    ['test', false, 'public'],
    ['live', true, 'public'],
    ['live', false, 'public'],
  ] as const) {
    const found = await get({ mode, logo }, true, isOwnMachine)
    assert.deepEqual(
      [found.status, found.body, found.wanted],
      [200, 'a picture', [[merchantId, logo, scope]]],
    )
    assert.deepEqual(headersOf(found.headers), asPicture)
  }
  const gone = await get({ logo }, false)
  assert.deepEqual([gone.status, gone.wanted.length], [404, 1])
  const none = await get({ logo: null })
  assert.deepEqual([none.status, none.wanted], [404, []])
})
