import type { AuditAction } from '../../src/core/audit/audit.ts'
import type { OpenIdHouse } from './openid-house.ts'
import { newPerson, Visitor, type PersonAt, type PageAnswer } from './visitor.ts'

// One form of the dashboard, sent by somebody who may.

export type Walk = {
  readonly leaves: readonly AuditAction[]
  /** Does what comes before, and returns the act itself. */
  prepare(at: OpenIdHouse): Promise<() => Promise<PageAnswer>>
}
export type Reason = { readonly excused: string }

export async function signedIn(at: OpenIdHouse): Promise<{ person: PersonAt; visitor: Visitor }> {
  const person = await newPerson(at.house, { role: 'owner' })
  const visitor = new Visitor(at.house)
  await visitor.signIn(person)
  return { person, visitor }
}

/** A form of somebody who is signed in. */
export function form(
  leaves: readonly AuditAction[],
  page: string | ((at: OpenIdHouse) => string),
  fields: Record<string, string> = {},
  to?: string | ((at: OpenIdHouse) => string),
): Walk {
  return {
    leaves,
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      const path = typeof page === 'string' ? page : page(at)
      await visitor.get(path)
      const target = typeof to === 'function' ? to(at) : to
      return () => visitor.post(target ?? path, fields)
    },
  }
}
