import { Refusal } from '../../../platform/errors/refusals.ts'
import { askForEmail, endOneSession, endOtherSessions, listOwnSessions, rename } from '../change-account.ts'
import { changePassword, removePassword } from '../change-password.ts'
import { deleteOwnAccount } from '../delete-person.ts'
import { addPasskey, registrationOptions, removePasskey } from '../factors/passkeys.ts'
import { renewRecoveryCodes, turnTotpOff, turnTotpOn } from '../factors/second-factor.ts'
import { base32, drawTotpSecret, readBase32, totpAddress } from '../factors/totp.ts'
import { listPasskeys, recoveryCodesLeft } from '../find-person.ts'
import { linkedIdentity } from '../openid/identities.ts'
import { ruleOf } from '../passwords/rules.ts'
import { readEmail, readName } from '../read-person.ts'
import type { Answer, Content, PersonAsk, Route } from '../../ask.ts'
import { forPerson, go, orShowMistakes, describeWait, show, showWait } from '../../define-route.ts'
import {
  accountPage,
  codesOnPage,
  codesPage,
  deletePage,
  emailPage,
  namePage,
  passwordPage,
  recoveryCodesPage,
  sessionsPage,
} from './page.ts'
import { passkeysPage } from './passkeys-page.ts'
import type { Mistakes } from '../../parts/parts.ts'

// A person's own account. Changing anything that lets someone sign in asks for the password or a passkey again first.

const fresh = { isFresh: true }
const firstFactor = { isFresh: true, setsFirstFactor: true } as const
const at = (ask: PersonAsk, path = ''): string => `${ask.dashboard.prefix}/dashboard/account${path}`
const typedIn = (ask: PersonAsk) => Object.fromEntries(ask.fields)

async function openIdFacts({ people, own }: PersonAsk) {
  const name = people.openId?.name
  return name === undefined ? undefined : { name, isLinked: !!(await linkedIdentity(people, own.person.id)) }
}

export const accountRoutes: readonly Route[] = [
  forPerson('GET', '/account', async (ask) => {
    const { person } = ask.own
    return show(
      accountPage(ask, {
        passkeys: (await listPasskeys(ask.people, person.id)).length,
        sessions: (await listOwnSessions(ask.people, person, ask.own.idleMinutes)).length,
        codesLeft: await recoveryCodesLeft(ask.people, person.id),
        openId: await openIdFacts(ask),
      }),
    )
  }),
  forPerson('GET', '/account/name', (ask) => show(namePage(ask))),
  forPerson('POST', '/account/name', (ask) =>
    orShowMistakes(
      async () => {
        await rename(ask.people, ask.own.person, readName(ask.fields.get('name')), ask.visitor)
        return { ...go(at(ask)), notice: 'name_changed' }
      },
      (mistakes) => namePage(ask, typedIn(ask), mistakes),
    ),
  ),
  forPerson('GET', '/account/email', (ask) => show(emailPage(ask)), fresh),
  forPerson(
    'POST',
    '/account/email',
    (ask) =>
      orShowMistakes(
        async () => {
          const email = readEmail(ask.fields.get('email'))
          const wait = await askForEmail(ask.people, ask.own.person, email, ask.visitor)
          if (wait) return showWait(emailPage(ask, typedIn(ask), describeWait(wait.seconds)), wait.seconds)
          return { ...go(at(ask)), notice: 'email_asked' }
        },
        (mistakes) => emailPage(ask, typedIn(ask), mistakes),
      ),
    fresh,
  ),
  forPerson('GET', '/account/password', async (ask) => show(await drawPassword(ask)), firstFactor),
  forPerson(
    'POST',
    '/account/password',
    (ask) =>
      orShowMistakes(
        async () => {
          const session = await changePassword(ask.people, ask.own, ask.fields.get('password'), ask.visitor)
          return { ...go(at(ask)), session, notice: 'password_changed' }
        },
        (mistakes) => drawPassword(ask, mistakes),
      ),
    firstFactor,
  ),
  forPerson(
    'POST',
    '/account/password/do/remove',
    (ask) =>
      orShowMistakes(
        async () => {
          await removePassword(ask.people, ask.own.person, ask.own.session, ask.visitor)
          return { ...go(at(ask)), notice: 'password_removed' }
        },
        (mistakes) => drawPassword(ask, mistakes),
      ),
    fresh,
  ),
]

async function drawPassword(ask: PersonAsk, mistakes: Mistakes = {}): Promise<Content> {
  const passkeys = await listPasskeys(ask.people, ask.own.person.id)
  const rule = await ruleOf(ask.core.db, ask.own.person)
  return passwordPage(ask, { hasPasskeys: passkeys.length > 0, rule }, mistakes)
}

export const goodbyeRoutes: readonly Route[] = [
  forPerson('GET', '/account/delete', (ask) => show(deletePage(ask)), fresh),
  forPerson(
    'POST',
    '/account/delete',
    (ask) =>
      orShowMistakes(
        async () => {
          await deleteOwnAccount(ask.people, ask.own.person, ask.visitor)
          return {
            ...go(`${ask.dashboard.prefix}/dashboard/sign-in`),
            session: null,
            notice: 'account_deleted',
          }
        },
        (mistakes) => deletePage(ask, mistakes),
      ),
    fresh,
  ),
]

export const factorRoutes: readonly Route[] = [
  forPerson('GET', '/account/codes', async (ask) => show(await drawCodes(ask)), fresh),
  forPerson(
    'POST',
    '/account/codes',
    (ask) => {
      const secret = readBase32(ask.fields.get('secret') ?? '') ?? drawTotpSecret()
      return orShowMistakes(
        async () => {
          const { person } = ask.own
          const code = ask.fields.get('code') ?? ''
          const codes = await turnTotpOn(ask.people, person.id, secret, code, ask.visitor)
          return show(recoveryCodesPage(ask, codes))
        },
        (mistakes) => drawNewCodes(ask, secret, mistakes),
      )
    },
    fresh,
  ),
  forPerson(
    'POST',
    '/account/codes/do/off',
    async (ask) => {
      await turnTotpOff(ask.people, ask.own.person.id, ask.visitor)
      return { ...go(at(ask)), notice: 'codes_off' }
    },
    fresh,
  ),
  forPerson(
    'POST',
    '/account/codes/do/renew',
    async (ask) =>
      show(recoveryCodesPage(ask, await renewRecoveryCodes(ask.people, ask.own.person.id, ask.visitor))),
    fresh,
  ),
  forPerson('GET', '/account/passkeys', async (ask) => show(await drawPasskeys(ask)), firstFactor),
  forPerson(
    'POST',
    '/account/passkeys/options',
    async (ask) => {
      if (!ask.site) throw new Refusal('not_found')
      return { kind: 'json', body: await registrationOptions(ask.people, ask.site, ask.own.person) }
    },
    firstFactor,
  ),
  forPerson(
    'POST',
    '/account/passkeys',
    (ask) =>
      orShowMistakes(
        () => add(ask),
        (mistakes) => drawPasskeys(ask, mistakes),
      ),
    firstFactor,
  ),
  forPerson(
    'POST',
    '/account/passkeys/do/remove',
    (ask) =>
      orShowMistakes(
        async () => {
          await removePasskey(ask.people, ask.own.person, ask.fields.get('id') ?? '', ask.visitor)
          return { ...go(at(ask, '/passkeys')), notice: 'passkey_removed' }
        },
        (mistakes) => drawPasskeys(ask, mistakes),
      ),
    fresh,
  ),
]

async function add(ask: PersonAsk): Promise<Answer> {
  if (!ask.site) throw new Refusal('not_found')
  const given = {
    answer: ask.fields.get('answer') ?? '',
    name: readName(ask.fields.get('name'), 'name', 'a name'),
  }
  await addPasskey(ask.people, ask.site, ask.own.person, given, ask.visitor)
  return { ...go(at(ask, '/passkeys')), notice: 'passkey_added' }
}

async function drawCodes(ask: PersonAsk): Promise<Content> {
  const { person } = ask.own
  if (person.hasTotp) return codesOnPage(ask, await recoveryCodesLeft(ask.people, person.id))
  return drawNewCodes(ask, drawTotpSecret())
}

function drawNewCodes(ask: PersonAsk, secret: Buffer, mistakes: Mistakes = {}): Content {
  const address = totpAddress(secret, 'Florin', ask.own.person.email)
  return codesPage(ask, { secret: base32(secret), address }, mistakes)
}

async function drawPasskeys(ask: PersonAsk, mistakes: Mistakes = {}): Promise<Content> {
  return passkeysPage(ask, await listPasskeys(ask.people, ask.own.person.id), mistakes)
}

export const sessionRoutes: readonly Route[] = [
  forPerson('GET', '/account/sessions', async (ask) =>
    show(sessionsPage(ask, await listOwnSessions(ask.people, ask.own.person, ask.own.idleMinutes))),
  ),
  forPerson('POST', '/account/sessions/do/end', async (ask) => {
    await endOneSession(ask.people, ask.own.person, ask.fields.get('id') ?? '', ask.visitor)
    return { ...go(at(ask, '/sessions')), notice: 'session_ended' }
  }),
  forPerson('POST', '/account/sessions/do/end-others', async (ask) => {
    await endOtherSessions(ask.people, ask.own.person, ask.own.session, ask.visitor)
    return { ...go(at(ask, '/sessions')), notice: 'sessions_ended' }
  }),
]
