import { createHmac } from 'node:crypto'
import { MadeBefore } from '../platform/errors/made-before.ts'
import { randomBase62 } from '../platform/database/random-id.ts'
import { html, type Html } from '../platform/http/html.ts'
import type { FormFields } from '../platform/input/form-fields.ts'
import type { Answer, PersonAsk } from './ask.ts'

// A form that creates something carries the new id. Sent twice (double click, two tabs, reload) it creates one. Going back to
// the form gives a new id: pages aren't cached, and autocomplete is off for browsers that would restore the old one.

/** The id's prefix. */
export type IdKind = 'key' | 'lnk' | 'prj' | 'note' | 'inv' | 'ep' | 'rpl'

/** The form's id, or a new one. */
export function idIn(fields: FormFields, kind: IdKind): string {
  const given = fields.get('id') ?? ''
  return new RegExp(`^${kind}_[0-9A-Za-z]{16}$`).test(given) ? given : `${kind}_${randomBase62(16)}`
}

/** For a part of a page that reloads: stays the same while `about` does. */
export function steadyLetters({ own }: PersonAsk, about: string): string {
  return createHmac('sha256', own.cookie).update(`once ${about}`).digest('hex').slice(0, 16)
}

export function idField(fields: FormFields, kind: IdKind): Html {
  return html`<input type="hidden" name="id" value="${idIn(fields, kind)}" autocomplete="off" />`
}

/** Returns `made` if `work` finds that the form was sent before. */
export async function orMadeBefore(work: () => Promise<Answer>, made: Answer): Promise<Answer> {
  return work().catch((error: unknown) => {
    if (error instanceof MadeBefore) return made
    throw error
  })
}
