import type { Queryable } from '../../../platform/database/database.ts'
import { takesLivePayments } from '../../../core/merchants/list.ts'
import { listPasskeys } from '../factors/factor-store.ts'
import type { Person } from '../people.ts'
import { findMerchantsOf } from '../team/memberships-look-store.ts'

// The rules for a new password. `live` is PCI DSS 8.3.6, for people who can sign in to a live shop with nothing but their
// password. A passkey or codes from an app end that.

export type PasswordRule = 'ordinary' | 'live'

const rules = {
  ordinary: {
    lengthMin: 10,
    isMixed: false,
    hint: 'At least 10 characters. Four unrelated words work well.',
    mistake: 'Use at least 10 characters',
  },
  live: {
    lengthMin: 12,
    isMixed: true,
    hint: 'At least 12 characters, with letters and digits. Four unrelated words and a number work well.',
    mistake: 'Use at least 12 characters, with letters and digits',
  },
} as const

/** PCI DSS 8.3.7: a new password is none of these, the current one included. */
export const passwordsRemembered = 4

/** For forms. */
export function passwordHint(rule: PasswordRule): string {
  return rules[rule].hint
}

export function ruleMistake(password: string, rule: PasswordRule): string | undefined {
  const { lengthMin, isMixed, mistake } = rules[rule]
  const isLong = [...password].length >= lengthMin
  return isLong && (!isMixed || (/\p{L}/u.test(password) && /\p{Nd}/u.test(password))) ? undefined : mistake
}

export async function ruleOf(
  db: Queryable,
  person: Pick<Person, 'id' | 'isOperator' | 'hasTotp'>,
): Promise<PasswordRule> {
  if (person.hasTotp || (await listPasskeys(db, person.id)).length > 0) return 'ordinary'
  return ruleWithoutFactor(db, { ...person, merchants: await findMerchantsOf(db, person.id) })
}

/** For people who have nothing but a password, or are about to. Operators can switch live payments on and off. */
export async function ruleWithoutFactor(
  db: Queryable,
  { isOperator, merchants }: { readonly isOperator: boolean; readonly merchants: readonly number[] },
): Promise<PasswordRule> {
  return (await takesLivePayments(db, isOperator ? undefined : merchants)) ? 'live' : 'ordinary'
}
