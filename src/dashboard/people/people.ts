import type { Transaction } from '../../platform/database/database.ts'
import type { Core } from '../../platform/jobs/core.ts'
import { installation, recordAct, type Act, type Actor } from '../../core/audit/audit.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import type { PersonEmail } from '../../platform/outbound/person-email.ts'
import type { OpenIdProvider } from './openid/provider.ts'
import type { Derive } from './passwords/hash-password.ts'
import { makeProofs, type Proofs } from './passwords/proof-of-work.ts'
import type { From } from './sessions/sessions.ts'
import type { PersonRow } from './store.ts'
import { findMerchantsOf } from './team/memberships-look-store.ts'

// What every function of people/ needs, and who is asking.

export type People = Core & {
  readonly secrets: Secrets
  /** Where e-mails lead, without a slash at its end. */
  readonly baseUrl: string
  readonly isSignUpOpen: boolean
  /** The company's, if there is one. */
  readonly openId: OpenIdProvider | undefined
  readonly sendEmail: SendEmail
  /** Proofs of work for sign-ins while many sign in at once. */
  readonly proofs: Proofs
  /** Checks passwords; a test counts how often. */
  readonly derive?: Derive | undefined
  /** Work that an answer must not wait for, so that its timing reveals nothing. */
  afterwards(work: () => Promise<void>): void
  /** Resolves when none of it is left. */
  settled(): Promise<void>
}

/** In the commit of the e-mail's subject. */
export type SendEmail = (tx: Transaction, email: PersonEmail) => Promise<void>

export type Person = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly hasPassword: boolean
  readonly hasTotp: boolean
}

/** Where a request comes from. `knownBy`: the cookie by which a browser is known again. */
export type Visitor = From & { readonly requestId: string; readonly knownBy: string | undefined }

export type PeopleOptions = Omit<People, 'afterwards' | 'settled' | 'proofs'>

export function makePeople(given: PeopleOptions): People {
  const underWay = new Set<Promise<void>>()
  return {
    ...given,
    proofs: makeProofs(given, given.secrets),
    afterwards(work) {
      const done = work()
        .catch((error: unknown) =>
          given.log.error({ err: error }, 'Could not queue a mail to a dashboard user'),
        )
        .finally(() => underWay.delete(done))
      underWay.add(done)
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

export function personOf(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isOperator: row.is_operator,
    hasPassword: row.password_hash !== null,
    hasTotp: row.totp_sealed !== null,
  }
}

export function byPerson(personId: string, from: Pick<Visitor, 'address' | 'requestId'>): Actor {
  return { kind: 'person', name: personId, address: from.address, requestId: from.requestId }
}

/** A person's changes to their own account concern every merchant they belong to. */
export async function recordOwnAct(tx: Transaction, personId: string, by: Actor, act: Act): Promise<void> {
  const merchants = await findMerchantsOf(tx, personId)
  for (const merchantId of merchants.length > 0 ? merchants : [installation])
    await recordAct(tx, merchantId, by, act)
}
