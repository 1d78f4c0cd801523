import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { openHouse, type House } from '../support/house.ts'
import { openMailServer, type MailServer } from '../support/mail-server.ts'
import { runFlorin } from '../support/run-florin.ts'
import { dumpTables } from '../support/search-everything.ts'
import { goodPassword, newPerson, signedIn, Visitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// E-mails that really go out, and links that are made at the command line.

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

test('an e-mail is sent by the mail server, from Florin, with a link that isn’t stored in plain text', async () => {
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

test('florin sign-in-link creates a link for the first person while there is no account', async () => {
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

test('florin sign-in-link creates an owner and a link, which works once', async () => {
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

test('florin demo leaves an older sign-in link alone, and its own link works too', async () => {
  const settings = { DATABASE_URL: house.databaseUrl, BASE_URL: 'http://127.0.0.1:3000' }
  const owner = ['--email', 'curious@example.com']
  const first = await runFlorin(['sign-in-link', ...owner, '--owner-of', String(house.merchantId)], settings)
  const demo = await runFlorin(['demo', ...owner, '--yes', '--json'], settings)
  assert.deepEqual([first.err, demo.err], ['', ''])
  const links = [first.out, demo.out].map((out) => /\/dashboard\/link\/[\w-]{32}/.exec(out)?.[0] ?? '')
  for (const link of links) assert.equal((await new Visitor(house).fill(link, {})).status, 303)
})

test('a person who came by a link without a password sets one without proof, once', async () => {
  const settings = { DATABASE_URL: house.databaseUrl, BASE_URL: 'http://127.0.0.1:3000' }
  const owner = ['--email', 'late@example.com', '--owner-of', String(house.merchantId)]
  const { out } = await runFlorin(['sign-in-link', ...owner], settings)
  const path = /\/dashboard\/link\/[\w-]{32}/.exec(out)?.[0] ?? ''
  const visitor = new Visitor(house)
  await visitor.fill(path, {})
  const wait = () => house.db.query(sql`update sessions set proved_at = proved_at - interval '1 hour'`)
  await wait()
  const page = '/dashboard/account/password'
  assert.match((await visitor.get(`/dashboard/${house.merchantId}/test/team/invite`)).to, /\/prove\?/)
  assert.equal((await visitor.get('/dashboard/account/passkeys')).status, 200)
  assert.equal((await visitor.fill(page, { password: goodPassword })).to, '/dashboard/account')
  await wait()
  assert.match((await visitor.get(page)).to, /\/prove\?/, 'a password that is set protects itself')
})

test('with a mail server an invitation is e-mailed, and its link is shown to no one else', async () => {
  const owner = await signedIn(house, { role: 'owner' })
  const team = `/dashboard/${house.merchantId}/test/team`
  const seen = await owner.fill(`${team}/invite`, { email: 'mailed@example.com', role: 'viewer' })
  assert.deepEqual([seen.status, seen.to], [303, team])
  assert.match((await owner.get(team)).text, /Invitation sent\./)
})
