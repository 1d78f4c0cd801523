import { inTransaction, type Database, type Transaction } from '../../platform/database/database.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import { installation, recordAct, type Actor } from '../../core/audit/audit.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import { alreadyHereEmail, signUpEmail } from './emails.ts'
import { linkMinutes, lookAtLink, makeLink, useLink } from './links.ts'
import { hashPassword } from './passwords/hash-password.ts'
import { ruleWithoutFactor, type PasswordRule } from './passwords/rules.ts'
import { byPerson, recordOwnAct, type People, type Visitor } from './people.ts'
import { readEmail, readName, readNewPassword } from './read-person.ts'
import { completeSignIn, type SignedIn } from './sign-in.ts'
import { findPersonByEmail, insertPerson, isAnybodyHere, lockPeople, type PersonRow } from './store.ts'
import { insertMember } from './team/team-store.ts'
import { emailTry, originOf, take } from './waits.ts'

// A merchant account with its owner. The first person of an installation runs it, so that person needs a link from the
// command line: a stranger who finds a fresh installation must not become its operator. Everybody else shows first, by a
// link in an e-mail, that the address is theirs.

/** first: there is no one yet, and only a link from the command line works. */
export type SignUpState = 'first' | 'open' | 'closed'

export async function signUpState(people: People): Promise<SignUpState> {
  if (!(await isAnybodyHere(people.db))) return 'first'
  return people.isSignUpOpen ? 'open' : 'closed'
}

export type SignUpFields = {
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly merchant?: string | undefined
  readonly password?: string | undefined
}

type Read = { readonly name: string; readonly merchant: string; readonly password: string }

/** The path of a link for the first person. Refused once there is one. */
export async function makeFirstLink(db: Database, by: Actor, now: Date = new Date()): Promise<string> {
  return inTransaction(db, async (tx) => {
    if (await isAnybodyHere(tx)) throw new Refusal('not_allowed', 'An account already exists')
    const secret = await makeLink(tx, { kind: 'sign_up', now })
    await recordAct(tx, installation, by, { action: 'person.sign_in_link_made', subject: 'first person' })
    return `/dashboard/sign-up/${secret}`
  })
}

/** Writes to the address: how to go on, or that it has an account. The answer is the same. */
export async function askToSignUp(
  people: People,
  email: string,
  visitor: Visitor,
): Promise<{ readonly seconds: number } | undefined> {
  const seconds = await take(people.db, emailTry(email, await originOf(people.db, visitor)), people.now())
  if (seconds !== undefined) return { seconds }
  people.afterwards(async () => {
    const known = await findPersonByEmail(people.db, email)
    await inTransaction(people.db, async (tx) => {
      if (known) return people.sendEmail(tx, alreadyHereEmail(known, `${people.baseUrl}/dashboard/sign-in`))
      const secret = await makeLink(tx, { kind: 'sign_up', email, now: people.now() })
      const url = `${people.baseUrl}/dashboard/sign-up/${secret}`
      await people.sendEmail(tx, signUpEmail(email, url, linkMinutes.sign_up))
    })
  })
  return undefined
}

export type WhoseSignUp = { readonly email: string } | 'first'

/** Undefined if the link has expired. The first person, who gets no e-mail, enters their address. */
export async function whoseSignUp(people: People, secret: string): Promise<WhoseSignUp | undefined> {
  const link = await lookAtLink(people.db, 'sign_up', secret, people.now())
  if (!link) return undefined
  if (link.email !== null) return { email: link.email }
  return (await isAnybodyHere(people.db)) ? undefined : 'first'
}

/** A new shop takes no live payments yet; an operator may find shops that do. */
export async function signUpRule({ db }: People, whose: WhoseSignUp): Promise<PasswordRule> {
  return ruleWithoutFactor(db, { isOperator: whose === 'first', merchants: [] })
}

/** Undefined when the link is over. */
export async function finishSignUp(
  people: People,
  secret: string,
  fields: SignUpFields,
  visitor: Visitor,
): Promise<SignedIn | undefined> {
  const whose = await whoseSignUp(people, secret)
  if (whose === undefined) return undefined
  const isFirst = whose === 'first'
  const email = isFirst ? readEmail(fields.email) : whose.email
  const { name, merchant, password } = read(fields, email, await signUpRule(people, whose))
  const hash = await hashPassword(password)
  return inTransaction(people.db, async (tx) => {
    if (isFirst) await lockPeople(tx)
    if (!(await useLink(tx, 'sign_up', secret, people.now()))) return undefined
    // Two links for the first person make one.
    if (isFirst && (await isAnybodyHere(tx))) return undefined
    const row = await open(tx, { email, name, merchant, hash, isOperator: isFirst }, visitor)
    return completeSignIn(people, tx, row, visitor, 'sign_up')
  })
}

function read(fields: SignUpFields, email: string, rule: PasswordRule): Read {
  const name = readName(fields.name)
  const merchant = readName(fields.merchant, 'merchant', 'the name of your shop')
  return { name, merchant, password: readNewPassword(fields.password, [email, name, merchant], rule) }
}

type Opened = {
  readonly email: string
  readonly name: string
  readonly merchant: string
  readonly hash: string
  readonly isOperator: boolean
}

async function open(tx: Transaction, given: Opened, visitor: Visitor): Promise<PersonRow> {
  const { email, name, hash, isOperator } = given
  const row = await addPerson(tx, { email, name, hash, isOperator })
  if (!row) throw brokenRule('email', 'This address already has an account. Sign in instead.')
  const by = byPerson(row.id, visitor)
  const merchantId = await createMerchant(tx, { name: given.merchant, email }, by)
  await insertMember(tx, merchantId, row.id, 'owner')
  await recordOwnAct(tx, row.id, by, {
    action: 'person.signed_up',
    subject: row.id,
    after: { role: 'owner', operator: isOperator },
  })
  return row
}

/** Undefined if the address belongs to someone. */
export async function addPerson(
  tx: Transaction,
  given: { email: string; name: string; hash: string | null; isOperator: boolean },
): Promise<PersonRow | undefined> {
  const { email, name, hash, isOperator } = given
  const id = `per_${randomBase62(16)}`
  if (!(await insertPerson(tx, { id, email, name, passwordHash: hash, isOperator }))) return undefined
  return { id, email, name, password_hash: hash, is_operator: isOperator, totp_sealed: null, totp_step: 0n }
}

/** For a merchant created by a command: a person who signs in by a link, and sets a password there. */
export async function addOwner(
  db: Database,
  merchantId: number,
  given: { readonly email: string; readonly name: string },
  by: Actor,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    await lockPeople(tx)
    const isOperator = !(await isAnybodyHere(tx))
    const known = await findPersonByEmail(tx, given.email)
    const row = known ?? (await addPerson(tx, { ...given, hash: null, isOperator }))
    if (!row) throw new Error('A person vanished while the table was locked')
    if (await insertMember(tx, merchantId, row.id, 'owner'))
      await recordAct(tx, merchantId, by, {
        action: 'team.joined',
        subject: row.id,
        after: { role: 'owner' },
      })
    return row.id
  })
}
