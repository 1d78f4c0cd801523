import { sql } from '../../src/platform/database/sql.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { codeAt, readBase32, stepAt } from '../../src/dashboard/people/factors/totp.ts'
import { makeSignInLink } from '../../src/dashboard/people/sign-in-link.ts'
import { somebody, type OpenIdHouse } from './openid-house.ts'
import { deliveryWalks } from './delivery-walks.ts'
import { linkTo, newPerson, Visitor, type PersonAt } from './visitor.ts'
import { form, signedIn, type Reason, type Walk } from './walk.ts'

// Every form of the dashboard, how it is sent, and which entries it leaves in the audit log; or why it leaves none. Whoever
// adds a form adds a line.

const account = '/dashboard/account'
const team = (at: OpenIdHouse): string => `/dashboard/${at.house.merchantId}/test/team`

async function withCodes(at: OpenIdHouse): Promise<{ person: PersonAt; visitor: Visitor }> {
  const { person, visitor } = await signedIn(at)
  const { text } = await visitor.get(`${account}/codes`)
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(text)?.[1] ?? ''
  const code = codeAt(readBase32(secret) ?? Buffer.alloc(0), stepAt(at.now()))
  await visitor.post(`${account}/codes`, { secret, code })
  return { person, visitor }
}

/** One that can sign nothing, and can be removed like any other. */
async function withPasskey(at: OpenIdHouse): Promise<{ id: string; visitor: Visitor }> {
  const { person, visitor } = await signedIn(at)
  const id = `passkey-of-${person.id}`
  await at.house.db.query(sql`
    insert into passkeys (id, person_id, public_key, counter, transports, name)
    values (${id}, ${person.id}, ${Buffer.alloc(1)}, 0, ${[]}::text[], 'Key')`)
  return { id, visitor }
}

async function invited(at: OpenIdHouse, email: string): Promise<string> {
  const { visitor } = await signedIn(at)
  await visitor.fill(`${team(at)}/invite`, { email, role: 'viewer' })
  return linkTo(at.house, email)
}

const passkeys = 'needs an authenticator: dashboard-in-browser.test.ts does it, and finds its entry'
const journey = 'only sets out to the provider: what is done when somebody comes back has the entry'
const asksForEmail = 'only asks for an e-mail: using its link has the entry'

export const walks: Readonly<Record<string, Walk | Reason>> = {
  'POST /dashboard/:merchant/:mode/payouts/do/check': {
    excused: 'only asks networks for news: it changes nothing of the merchant’s',
  },
  'POST /dashboard/sign-in': {
    leaves: ['person.signed_in'],
    prepare: async (at) => {
      const person = await newPerson(at.house, { role: 'viewer' })
      return () => new Visitor(at.house).signIn(person)
    },
  },
  'POST /dashboard/second-factor': {
    leaves: ['person.recovery_code_used', 'person.signed_in'],
    prepare: async (at) => {
      const { person, visitor } = await withCodes(at)
      await visitor.get(`${account}/codes`)
      const { text } = await visitor.post(`${account}/codes/do/renew`)
      const code = /<code>([a-z2-9]{5}-[a-z2-9]{5})<\/code>/.exec(text)?.[1] ?? ''
      const half = new Visitor(at.house)
      await half.signIn(person)
      await half.get('/dashboard/second-factor')
      return () => half.post('/dashboard/second-factor', { code })
    },
  },
  'POST /dashboard/sign-out': form(['person.signed_out'], account, {}, '/dashboard/sign-out'),
  'POST /dashboard/forgotten': { excused: asksForEmail },
  'POST /dashboard/reset/:secret': {
    leaves: ['person.password_changed'],
    prepare: async (at) => {
      const { person } = await signedIn(at)
      const visitor = new Visitor(at.house)
      await visitor.fill('/dashboard/forgotten', { email: person.email })
      const path = await linkTo(at.house, person.email)
      await visitor.get(path)
      return () => visitor.post(path, { password: 'violet harbour 7 teapots' })
    },
  },
  'POST /dashboard/email/:secret': {
    leaves: ['person.email_changed'],
    prepare: async (at) => {
      const { person, visitor } = await signedIn(at)
      await visitor.fill(`${account}/email`, { email: `new.${person.email}` })
      const path = await linkTo(at.house, `new.${person.email}`)
      await visitor.get(path)
      return () => visitor.post(path)
    },
  },
  'POST /dashboard/link/:secret': {
    leaves: ['person.signed_in'],
    prepare: async (at) => {
      const person = await newPerson(at.house, { role: 'viewer' })
      const path = await makeSignInLink(at.house.db, { personId: person.id }, bySystem, { now: at.now() })
      const visitor = new Visitor(at.house)
      await visitor.get(path)
      return () => visitor.post(path)
    },
  },
  'POST /dashboard/sign-up': {
    excused: `${asksForEmail}; of the first person: people-sign-in.test.ts`,
  },
  'POST /dashboard/sign-up/:secret': { excused: 'sign-up is closed here: people-links.test.ts does it' },
  'POST /dashboard/join/:merchant/:secret': {
    leaves: ['team.joined', 'person.signed_in'],
    prepare: async (at) => {
      const path = await invited(at, 'joins@example.com')
      const visitor = new Visitor(at.house)
      await visitor.get(path)
      return () => visitor.post(path, { name: 'Joins', password: 'violet harbour 7 teapots' })
    },
  },
  'POST /dashboard/account/name': form(['person.renamed'], `${account}/name`, { name: 'Another name' }),
  'POST /dashboard/account/email': { excused: asksForEmail },
  'POST /dashboard/account/password': form(['person.password_changed'], `${account}/password`, {
    password: 'violet harbour 7 teapots',
  }),
  'POST /dashboard/new-password': form(
    ['person.password_changed'],
    `${account}/password`,
    { password: 'violet harbour 7 teapots' },
    '/dashboard/new-password',
  ),
  'POST /dashboard/account/password/do/remove': {
    leaves: ['person.password_changed'],
    prepare: async (at) => {
      const { visitor } = await withPasskey(at)
      await visitor.get(`${account}/password`)
      return () => visitor.post(`${account}/password/do/remove`)
    },
  },
  'POST /dashboard/account/codes': {
    leaves: ['person.totp_on'],
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      const { text } = await visitor.get(`${account}/codes`)
      const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(text)?.[1] ?? ''
      const code = codeAt(readBase32(secret) ?? Buffer.alloc(0), stepAt(at.now()))
      return () => visitor.post(`${account}/codes`, { secret, code })
    },
  },
  'POST /dashboard/account/codes/do/off': {
    leaves: ['person.totp_off'],
    prepare: async (at) => {
      const { visitor } = await withCodes(at)
      await visitor.get(`${account}/codes`)
      return () => visitor.post(`${account}/codes/do/off`)
    },
  },
  'POST /dashboard/account/codes/do/renew': {
    leaves: ['person.recovery_codes_drawn'],
    prepare: async (at) => {
      const { visitor } = await withCodes(at)
      await visitor.get(`${account}/codes`)
      return () => visitor.post(`${account}/codes/do/renew`)
    },
  },
  'POST /dashboard/account/passkeys': { excused: passkeys },
  'POST /dashboard/account/passkeys/options': { excused: 'draws a number for an authenticator to sign' },
  'POST /dashboard/account/passkeys/do/remove': {
    leaves: ['person.passkey_removed'],
    prepare: async (at) => {
      const { id, visitor } = await withPasskey(at)
      await visitor.get(`${account}/passkeys`)
      return () => visitor.post(`${account}/passkeys/do/remove`, { id })
    },
  },
  'POST /dashboard/account/sessions/do/end': {
    leaves: ['person.sessions_ended'],
    prepare: async (at) => {
      const { person, visitor } = await signedIn(at)
      await new Visitor(at.house).signIn(person)
      const { text } = await visitor.get(`${account}/sessions`)
      const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? ''
      return () => visitor.post(`${account}/sessions/do/end`, { id })
    },
  },
  'POST /dashboard/account/sessions/do/end-others': form(
    ['person.sessions_ended'],
    `${account}/sessions`,
    {},
    `${account}/sessions/do/end-others`,
  ),
  'POST /dashboard/account/delete': form(['person.deleted', 'team.left'], `${account}/delete`),
  'POST /dashboard/sign-in/passkey-options': { excused: 'draws a number for an authenticator to sign' },
  'POST /dashboard/sign-in/proof': { excused: 'hands out a sum for the browser to solve' },
  'POST /dashboard/sign-in/passkey': { excused: passkeys },
  'POST /dashboard/prove': {
    excused: 'changes nothing but the number of the session; what it is shown for has an entry',
  },
  'POST /dashboard/prove/passkey-options': { excused: 'draws a number for an authenticator to sign' },
  'POST /dashboard/prove/passkey': { excused: 'as the proof by password' },
  'POST /dashboard/prove/openid': { excused: journey },
  'POST /dashboard/sign-in/openid': { excused: journey },
  'POST /dashboard/account/openid': { excused: journey },
  'POST /dashboard/join/:merchant/:secret/do/openid': { excused: journey },
  'GET /dashboard/openid/callback': {
    leaves: ['person.openid_linked'],
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      const address = await at.setOut(visitor, `${account}/openid`, `${account}/openid`)
      return () => visitor.get(at.provider.visit(address, somebody()))
    },
  },
  'POST /dashboard/account/openid/do/remove': {
    leaves: ['person.openid_unlinked'],
    prepare: async (at) => {
      const visitor = await at.link(await newPerson(at.house, { role: 'viewer' }), somebody())
      await visitor.get(`${account}/openid`)
      return () => visitor.post(`${account}/openid/do/remove`)
    },
  },
  'POST /dashboard/:merchant/:mode/team/invite': form(['team.invited'], (at) => `${team(at)}/invite`, {
    email: 'new@example.com',
    role: 'viewer',
  }),
  'POST /dashboard/:merchant/:mode/team/do/withdraw': {
    leaves: ['team.invitation_withdrawn'],
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      await visitor.fill(`${team(at)}/invite`, { email: 'gone@example.com', role: 'viewer' })
      const [row] = await at.house.db.query<{ id: string }>(sql`
        select id from invitations where merchant_id = ${at.house.merchantId} and email = 'gone@example.com'`)
      await visitor.get(team(at))
      return () => visitor.post(`${team(at)}/do/withdraw`, { id: row?.id ?? '' })
    },
  },
  'POST /dashboard/:merchant/:mode/team/do/summary': {
    leaves: ['team.summary_changed'],
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      const { id } = await newPerson(at.house, { role: 'viewer' })
      await visitor.get(team(at))
      return () => visitor.post(`${team(at)}/do/summary`, { person: id, to: 'on' })
    },
  },
  'POST /dashboard/:merchant/:mode/team/leave': form(['team.left'], (at) => `${team(at)}/leave`),
  'POST /dashboard/:merchant/:mode/team/:person': {
    leaves: ['team.role_changed'],
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      const path = `${team(at)}/${(await newPerson(at.house, { role: 'viewer' })).id}`
      await visitor.get(path)
      return () => visitor.post(path, { role: 'support' })
    },
  },
  'POST /dashboard/:merchant/:mode/team/:person/do/remove': {
    leaves: ['team.removed'],
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      const path = `${team(at)}/${(await newPerson(at.house, { role: 'viewer' })).id}`
      await visitor.get(path)
      return () => visitor.post(`${path}/do/remove`)
    },
  },
  ...deliveryWalks,
  'POST /dashboard/:merchant/:mode/audit/do/export': {
    leaves: ['audit.exported'],
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      const path = `/dashboard/${at.house.merchantId}/test/audit`
      await visitor.get(path)
      return () => visitor.post(`${path}/do/export`)
    },
  },
}
