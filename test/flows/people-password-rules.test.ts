import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeMerchant, createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { insertPasskey } from '../../src/dashboard/people/factors/factor-store.ts'
import { totpPlace } from '../../src/dashboard/people/factors/second-factor.ts'
import { hashPassword } from '../../src/dashboard/people/passwords/hash-password.ts'
import { setPasswordHash, setTotp } from '../../src/dashboard/people/store.ts'
import { inTransaction } from '../../src/platform/database/database.ts'
import { base32, codeAt, drawTotpSecret, stepAt } from '../../src/dashboard/people/factors/totp.ts'
import { makeStillClock, minutes } from '../support/clock.ts'
import { openHouse, type House } from '../support/house.ts'
import { emailsTo, linkTo, newPerson, Visitor, type PersonAt } from '../support/visitor.ts'

// Twelve characters with letters and digits, for people who sign in to live payments with a password alone. Passwords from
// before that rule let them in, to a page that asks for a new one.

const clock = makeStillClock()
let house: House
before(async () => {
  house = await openHouse({ world: { now: clock.now } })
})
after(() => house.close())

const short = 'vqzTn#kLwp7'
const withoutDigits = 'seven wet herons argue'
const strong = 'violet harbour 7 teapots'

/** Someone whose password is from before the rule. */
async function personWith(password: string, given: Parameters<typeof newPerson>[1] = {}): Promise<PersonAt> {
  const person = await newPerson(house, { role: 'owner', ...given })
  await setPasswordHash(house.db, person.id, await hashPassword(password))
  return person
}

async function arrive(person: PersonAt, password: string): Promise<Visitor> {
  const visitor = new Visitor(house)
  assert.equal((await visitor.signIn(person, password)).to, '/dashboard')
  return visitor
}

/** Where every page leads. */
const asking = (page: string): string => `/dashboard/new-password?next=${encodeURIComponent(page)}`
const payments = (): string => `/dashboard/${house.merchantId}/live/payments`

for (const [what, password] of [
  ['eleven characters', short],
  ['no digits', withoutDigits],
] as const)
  test(`a password with ${what} still signs in to a live shop, and nothing opens until there is a new one`, async () => {
    const person = await personWith(password)
    const [elsewhere, visitor] = [await arrive(person, password), await arrive(person, password)]
    for (const page of ['/dashboard', payments(), '/dashboard/account', '/dashboard/account/password'])
      assert.equal((await visitor.get(page)).to, asking(page))
    const page = asking(payments())
    assert.match((await visitor.get(page)).text, /At least 12 characters, with letters and digits/)
    assert.equal(
      (await visitor.post('/dashboard/account/name', { name: 'Eve' })).to,
      asking('/dashboard/account/name'),
    )
    for (const refused of [short, withoutDigits]) {
      const answer = await visitor.fill(page, { password: refused })
      assert.equal(answer.status, 400)
      assert.match(answer.text, /Use at least 12 characters, with letters and digits/)
    }
    assert.equal((await visitor.get(payments())).to, asking(payments()))
    assert.equal((await visitor.fill(page, { password: strong })).to, payments())
    assert.equal((await visitor.get(payments())).status, 200)
    assert.match((await elsewhere.get(payments())).to, /sign-in/)
    const [mail] = await emailsTo(house, person.email)
    assert.match(mail?.subject ?? '', /password/i)
    assert.equal((await (await arrive(person, strong)).get(payments())).status, 200)
  })

test('confirming it’s you doesn’t get around the new password', async () => {
  const person = await personWith(short)
  const visitor = await arrive(person, short)
  clock.jump(11 * minutes)
  const page = asking(payments())
  const prove = `/dashboard/prove?next=${encodeURIComponent(page)}`
  assert.equal((await visitor.get(page)).to, prove)
  const proved = await visitor.fill(prove, { password: short, next: page }, '/dashboard/prove')
  assert.equal(proved.to, page)
  assert.equal((await visitor.get(payments())).to, page)
})

test('a short password needs no change without live payments, with a passkey or with codes from an app', async () => {
  const trial = await createMerchant(house.db, { name: 'Trial' })
  const [trying, withKey, withCodes] = [
    await personWith(short, { merchantId: trial }),
    await personWith(short),
    await personWith(short),
  ]
  const home = `/dashboard/${trial}/test`
  assert.equal((await (await arrive(trying, short)).get(home)).status, 200)
  await addPasskey(withKey)
  assert.equal((await (await arrive(withKey, short)).get(payments())).status, 200)
  const secret = drawTotpSecret()
  const sealed = house.app.people.secrets.seal(totpPlace(withCodes.id), secret)
  await inTransaction(house.db, async (tx) => setTotp(tx, withCodes.id, sealed, 0n))
  const visitor = new Visitor(house)
  await visitor.signIn(withCodes, short)
  const code = codeAt(secret, stepAt(clock.now()))
  assert.equal((await visitor.fill('/dashboard/second-factor', { code })).to, '/dashboard')
  assert.equal((await visitor.get(payments())).status, 200)
  // Forms show the rule that holds.
  assert.match((await visitor.get('/dashboard/account/password')).text, /At least 10 characters/)
  await changeMerchant(house.db, trial, { liveEnabled: true })
  assert.equal((await (await arrive(trying, short)).get(home)).to, asking(home))
})

test('a passkey or codes from an app instead of a new password open everything', async () => {
  const [first, second] = [await personWith(short), await personWith(short)]
  const [withKey, withCodes] = [await arrive(first, short), await arrive(second, short)]
  await addPasskey(first)
  assert.equal((await withKey.get('/dashboard/account/passkeys')).status, 200)
  assert.equal((await withKey.get(payments())).status, 200)
  const page = await withCodes.get('/dashboard/account/codes')
  assert.equal(page.status, 200)
  const secret = drawTotpSecret()
  const code = codeAt(secret, stepAt(clock.now()))
  const on = await withCodes.post('/dashboard/account/codes', { secret: base32(secret), code })
  assert.match(on.text, /Your recovery codes/)
  assert.equal((await withCodes.get(payments())).status, 200)
})

test('an operator needs a longer password as soon as one shop takes live payments', async () => {
  const operator = await personWith(short, {
    isOperator: true,
    merchantId: await createMerchant(house.db, { name: 'Own' }),
  })
  const visitor = await arrive(operator, short)
  assert.equal((await visitor.get('/dashboard/installation')).to, asking('/dashboard/installation'))
})

test('invitations and reset links show and keep the rule of the shop', async () => {
  const invitation = { email: 'grace@example.com', role: 'viewer' }
  const owner = await arrive(await personWith(strong), strong)
  await owner.fill(`/dashboard/${house.merchantId}/test/team/invite`, invitation)
  const link = await linkTo(house, 'grace@example.com')
  const guest = new Visitor(house)
  assert.match((await guest.get(link)).text, /At least 12 characters/)
  assert.equal((await guest.post(link, { name: 'Grace', password: withoutDigits })).status, 400)
  assert.equal((await guest.post(link, { name: 'Grace', password: strong })).status, 303)
  const asked = new Visitor(house)
  await asked.fill('/dashboard/forgotten', { email: 'grace@example.com' })
  const reset = await linkTo(house, 'grace@example.com')
  assert.match((await asked.get(reset)).text, /At least 12 characters/)
  assert.match((await asked.post(reset, { password: strong })).text, /one of your last 4 passwords/)
  assert.equal((await asked.post(reset, { password: 'amber 9 ladder violins' })).status, 303)
})

async function addPasskey({ id: personId }: PersonAt): Promise<void> {
  const one = {
    id: `key of ${personId}`,
    personId,
    publicKey: Buffer.from('key'),
    counter: 0n,
    transports: [],
    name: 'Phone',
  }
  await inTransaction(house.db, async (tx) => insertPasskey(tx, one))
}
