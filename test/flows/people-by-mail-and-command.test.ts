import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openHouse, type House } from '../support/house.ts'
import { openMailServer, type MailServer } from '../support/mail-server.ts'
import { runFlorin } from '../support/run-florin.ts'
import { dumpTables } from '../support/search-everything.ts'
import { newPerson, Visitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// Letters that really go out, and links that are made at the command line.

let house: House
let mail: MailServer

before(async () => {
  mail = await openMailServer()
  house = await openHouse({ settings: { SMTP_URL: mail.url } })
})
after(async () => {
  await house.close()
  await mail.close()
})

test('a letter goes out through the mail server, from Florin and with its link, which is not stored as it is', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const worker = house.app.startWorker()
  try {
    await new Visitor(house).fill('/dashboard/forgotten', { email: person.email })
    await waitUntil('the letter is there', () => mail.accepted.length === 1)
  } finally {
    await worker.stop()
  }
  const [letter] = mail.accepted
  const text = (letter?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  assert.match(text, /From: "?Florin"? <no-reply@127\.0\.0\.1>/)
  const link = /\/dashboard\/reset\/([\w-]{32})/.exec(text)
  assert.ok(link)
  assert.equal((await new Visitor(house).get(link[0])).status, 200)
  assert.ok(!(await dumpTables(house)).includes(link[1] ?? 'none'))
})

test('florin sign-in-link makes a link for the first person while nobody has an account', async () => {
  const empty = await openHouse()
  try {
    const settings = { DATABASE_URL: empty.databaseUrl, BASE_URL: 'http://127.0.0.1:3000' }
    const { out, code } = await runFlorin(['sign-in-link'], settings)
    assert.equal(code, 0)
    const path = /^http:\/\/127\.0\.0\.1:3000(\/dashboard\/sign-up\/[\w-]{32})\n$/.exec(out)?.[1] ?? ''
    const page = await new Visitor(empty).get(path)
    assert.equal(page.status, 200)
    assert.match(page.text, /re the first here/)
  } finally {
    await empty.close()
  }
})

test('florin sign-in-link makes an owner and a link, which works once', async () => {
  const settings = { DATABASE_URL: house.databaseUrl, BASE_URL: 'http://127.0.0.1:3000' }
  const make = async (...args: string[]) => runFlorin(['sign-in-link', ...args], settings)
  const unknown = await make('--email', 'boss@example.com')
  assert.equal(unknown.code, 69)
  assert.match(unknown.err, /No account uses this address/)
  assert.equal((await make('--owner-of', '123')).code, 64)
  const { out, code } = await make('--email', 'boss@example.com', '--owner-of', String(house.merchantId))
  assert.equal(code, 0)
  const path = /^http:\/\/127\.0\.0\.1:3000(\/dashboard\/link\/[\w-]{32})\n$/.exec(out)?.[1] ?? ''
  const visitor = new Visitor(house)
  await visitor.get(path)
  assert.equal((await visitor.post(path)).status, 303)
  assert.equal((await visitor.get(`/dashboard/${house.merchantId}/test/team/invite`)).status, 200)
  assert.equal((await new Visitor(house).get(path)).status, 404)
})
