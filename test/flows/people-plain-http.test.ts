import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openHouse, type House } from '../support/house.ts'
import { sendRaw } from '../support/raw-request.ts'
import { newPerson, Visitor } from '../support/visitor.ts'

// Without HTTPS nobody signs in from another machine: the cookie could be read on the way.

let house: House
before(async () => {
  house = await openHouse()
  await newPerson(house)
})
after(() => house.close())

async function ask(host: string, path = '/dashboard/sign-in') {
  return sendRaw(house.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
}

test('on this machine the sign-in page opens over plain HTTP, by every local name', async () => {
  for (const host of ['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', 'shop.localhost'])
    assert.equal((await ask(host)).status, 200, host)
})

test('by another name over plain HTTP the page says why nobody can sign in, and sets no cookie', async () => {
  for (const host of ['192.168.1.5:3000', 'pay.example.com', 'localhost.example.com', '127.0.0.1.nip.io'])
    for (const path of ['/dashboard/sign-in', '/dashboard', '/dashboard/sign-up']) {
      const seen = await ask(host, path)
      assert.equal(seen.status, 403, host)
      assert.match(seen.body, /<h1>This needs HTTPS<\/h1>/)
      assert.match(seen.body, /set <code>BASE_URL<\/code>/)
      assert.equal(seen.headers.get('set-cookie'), null)
    }
})

test('with a public plain-HTTP BASE_URL nobody can sign in, even with the right password', async () => {
  const settings = { BASE_URL: 'http://pay.example.com' }
  const open = await openHouse({ databaseUrl: house.databaseUrl, settings })
  try {
    const visitor = new Visitor(open)
    const seen = await visitor.signIn(await newPerson(house, { role: 'viewer' }))
    assert.equal(seen.status, 403)
    assert.equal(visitor.cookies.size, 0)
  } finally {
    await open.close()
  }
})
