import { createHmac } from 'node:crypto'
import { MadeBefore } from '../errors/made-before.ts'
import { randomBase62 } from '../database/random-id.ts'
import { html, type Html } from '../http/html.ts'
import type { FormFields } from '../input/form-fields.ts'
import type { Answer, PersonAsk } from './ask.ts'

// A form that makes something carries the id of what it will make, drawn with the page. Sent twice, by a double click, from
// two tabs or by loading the answer again, it makes one. Whoever goes back to the form gets it with another id: pages are not
// stored, and autocomplete is off for browsers that would bring the old one back.

/** What stands before the underscore. */
export type IdKind = 'key' | 'lnk' | 'prj' | 'note' | 'inv' | 'ep'

/** The one that the form brought, or a new one. */
export function idIn(fields: FormFields, kind: IdKind): string {
  const given = fields.get('id') ?? ''
  return new RegExp(`^${kind}_[0-9A-Za-z]{16}$`).test(given) ? given : `${kind}_${randomBase62(16)}`
}

/** For a part of a page that is drawn again and again: the same as long as `about` is. */
export function steadyLetters({ own }: PersonAsk, about: string): string {
  return createHmac('sha256', own.cookie).update(`once ${about}`).digest('hex').slice(0, 16)
}

export function idField(fields: FormFields, kind: IdKind): Html {
  return html`<input type="hidden" name="id" value="${idIn(fields, kind)}" autocomplete="off" />`
}

/** What `work` makes is there already: then `made` is the answer. */
export async function orMadeBefore(work: () => Promise<Answer>, made: Answer): Promise<Answer> {
  return work().catch((error: unknown) => {
    if (error instanceof MadeBefore) return made
    throw error
  })
}
