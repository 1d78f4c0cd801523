import { randomBytes } from 'node:crypto'
import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import type { SealedRows } from '../../../platform/secrets/reseal.ts'
import type { Place } from '../../../platform/secrets/secrets.ts'
import { factorEmail } from '../emails.ts'
import { byPerson, recordOwnAct, type People, type Visitor } from '../people.ts'
import { deleteSession } from '../sessions/session-store.ts'
import { hashOf, type Session } from '../sessions/sessions.ts'
import { completeSignIn, type SignedIn } from '../sign-in.ts'
import { listTotpSecrets, lockPerson, replaceTotpSecret, setTotp, takeTotpStep } from '../store.ts'
import { codeTry, originOf, succeed, take } from '../waits.ts'
import { replaceRecoveryCodes, takeRecoveryCode } from './factor-store.ts'
import { stepOfCode } from './totp.ts'

// Codes of an app, and ten recovery codes for when it is lost. A code counts once: its time step is remembered.

const recoveryCodeCount = 10
const recoveryAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export type SecondFactorResult =
  | SignedIn
  | { readonly kind: 'refused' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'wait'; readonly seconds: number }

/** From half a session to a whole one, with a number of its own. */
export async function showSecondFactor(
  people: People,
  half: { readonly session: Session; readonly cookie: string },
  code: string,
  visitor: Visitor,
): Promise<SecondFactorResult> {
  const { db } = people
  const { personId } = half.session
  const tried = codeTry(personId, await originOf(db, visitor))
  const seconds = await take(db, tried, people.now())
  if (seconds !== undefined) return { kind: 'wait', seconds }
  const result = await inTransaction(db, async (tx): Promise<SecondFactorResult> => {
    const taken = await takeCode(people, tx, personId, code, visitor)
    if (taken === undefined) return { kind: 'refused' }
    const person = await lockPerson(tx, personId)
    if (!person || !(await deleteSession(tx, hashOf(half.cookie)))) return { kind: 'ended' }
    if (half.session.way !== 'openid') return completeSignIn(people, tx, person, visitor, taken)
    const way = taken === 'password_and_code' ? 'openid_and_code' : taken
    // A code is no proof by itself, and the provider may have asked for nothing.
    return completeSignIn(people, tx, person, visitor, way, { provedAt: half.session.provedAt })
  })
  if (result.kind === 'in') await succeed(db, tried)
  return result
}

async function takeCode(
  people: People,
  tx: Transaction,
  personId: string,
  code: string,
  visitor: Visitor,
): Promise<'password_and_code' | 'recovery_code' | undefined> {
  const person = await lockPerson(tx, personId)
  if (!person?.totp_sealed) return undefined
  const secret = people.secrets.open(totpPlace(personId), person.totp_sealed)
  const step = stepOfCode(secret, code, people.now())
  if (step !== undefined) return (await takeTotpStep(tx, personId, step)) ? 'password_and_code' : undefined
  if (!(await takeRecoveryCode(tx, personId, hashOf(normalise(code)), people.now()))) return undefined
  const act = { action: 'person.recovery_code_used', subject: personId } as const
  await recordOwnAct(tx, personId, byPerson(personId, visitor), act)
  const email = factorEmail(person, 'One of your recovery codes was used', people.now(), visitor)
  await people.sendEmail(tx, email)
  return 'recovery_code'
}

/** Switches codes on, once the person has shown one. Returns the recovery codes, which are never shown again. */
export async function turnTotpOn(
  people: People,
  personId: string,
  secret: Buffer,
  code: string,
  visitor: Visitor,
): Promise<readonly string[]> {
  const step = stepOfCode(secret, code, people.now())
  if (step === undefined)
    throw brokenRule('code', "That code is wrong. Check your phone's clock and enter the newest code.")
  return inTransaction(people.db, async (tx) => {
    const person = await lockPerson(tx, personId)
    if (!person) throw new Refusal('not_found')
    await setTotp(tx, personId, people.secrets.seal(totpPlace(personId), secret), step)
    await recordOwnAct(tx, personId, byPerson(personId, visitor), {
      action: 'person.totp_on',
      subject: personId,
    })
    await people.sendEmail(tx, factorEmail(person, 'Authenticator app switched on', people.now(), visitor))
    return drawRecoveryCodes(tx, personId)
  })
}

export async function turnTotpOff(people: People, personId: string, visitor: Visitor): Promise<void> {
  await inTransaction(people.db, async (tx) => {
    const person = await lockPerson(tx, personId)
    if (!person?.totp_sealed) return
    await setTotp(tx, personId, null, 0n)
    await replaceRecoveryCodes(tx, personId, [])
    await recordOwnAct(tx, personId, byPerson(personId, visitor), {
      action: 'person.totp_off',
      subject: personId,
    })
    await people.sendEmail(tx, factorEmail(person, 'Authenticator app switched off', people.now(), visitor))
  })
}

export async function renewRecoveryCodes(
  people: People,
  personId: string,
  visitor: Visitor,
): Promise<readonly string[]> {
  return inTransaction(people.db, async (tx) => {
    const person = await lockPerson(tx, personId)
    if (!person?.totp_sealed) throw new Refusal('not_found')
    const act = { action: 'person.recovery_codes_drawn', subject: personId } as const
    await recordOwnAct(tx, personId, byPerson(personId, visitor), act)
    return drawRecoveryCodes(tx, personId)
  })
}

async function drawRecoveryCodes(tx: Transaction, personId: string): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, drawCode)
  await replaceRecoveryCodes(
    tx,
    personId,
    codes.map((code) => hashOf(normalise(code))),
  )
  return codes
}

/** 10 letters of 31: 49 bits each, which can't be guessed at the allowed pace. */
function drawCode(): string {
  const letters = [...randomBytes(64)].filter((byte) => byte < 248).slice(0, 10)
  const text = letters.map((byte) => recoveryAlphabet[byte % recoveryAlphabet.length]).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

function normalise(code: string): string {
  return code.toLowerCase().replace(/[^a-z0-9]/g, '')
}

export function totpPlace(personId: string): Place {
  return { table: 'people', key: personId, purpose: 'secret of an authenticator app' }
}

/** To reseal them. People belong to no merchant. */
export const totpRows: SealedRows<{ readonly id: string; readonly totp_sealed: Buffer }> = {
  what: 'secrets of authenticator apps',
  findOwners: async (_db, after) => (after < 0 ? [0] : []),
  list: async (db) => listTotpSecrets(db),
  stored: ({ id, totp_sealed }) => ({ place: totpPlace(id), plain: null, sealed: totp_sealed }),
  replace: async (db, { id, totp_sealed }, sealed) => replaceTotpSecret(db, id, totp_sealed, sealed),
}
