import { Refusal } from '../../platform/errors/refusals.ts'
import { html, type Html } from '../../platform/http/html.ts'
import { readStylesheet } from '../../platform/http/page.ts'
import type { Actor } from '../../core/audit/audit.ts'
import { readMerchant, type Merchant } from '../../core/merchants/authenticate.ts'
import { byPerson } from '../people/people.ts'
import { hasRight } from '../people/rights.ts'
import type { MemberAsk } from '../ask.ts'
import type { Mistakes } from '../parts/parts.ts'

// Parts shared by the settings pages. Settings are the same in both modes unless a page says otherwise.

export const styles = [readStylesheet(new URL('./settings.css', import.meta.url))]

export const fresh = { isFresh: true }

export function pathOf({ place }: MemberAsk, rest: string): string {
  return `${place.home}/settings${rest}`
}

export function actorOf({ own, visitor }: MemberAsk): Actor {
  return byPerson(own.person.id, visitor)
}

export function mayChange({ place }: MemberAsk): boolean {
  return hasRight(place.role, 'settings.change')
}

/** From the database: the cache may be older than the last change. */
export async function merchantNow({ core, place }: MemberAsk): Promise<Merchant> {
  const merchant = await readMerchant(core.db, place.merchant.id)
  if (!merchant) throw new Refusal('not_found')
  return merchant
}

type Area = { readonly name: string; readonly label: string; readonly hint: string; readonly value: string }

/** A text area. */
export function area({ name, label, hint, value }: Area, mistakes: Mistakes): Html {
  const mistake = mistakes[name]
  const described = [`${name}-hint`, ...(mistake === undefined ? [] : [`${name}-error`])].join(' ')
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <p class="hint" id="${name}-hint">${hint}</p>
    <textarea id="${name}" name="${name}" rows="4" aria-describedby="${described}" ${mistake !== undefined && html`aria-invalid="true"`}>
${value}</textarea>
    ${mistake !== undefined && html`<p class="error" id="${name}-error">${mistake}</p>`}
  </div>`
}

export function radio(name: string, value: string, isChosen: boolean, label: string, hint: string): Html {
  return html`<label class="choice">
    <input type="radio" name="${name}" value="${value}" ${isChosen && html`checked`} />
    <span>${label}</span>
    <span class="hint">${hint}</span>
  </label>`
}

/** Replaces the API's field name at the start of a message with the form's label. */
export function inLabels(mistakes: Mistakes, labels: Readonly<Record<string, string>>): Mistakes {
  return Object.fromEntries(
    Object.entries(mistakes).map(([name, sentence]) => {
      const label = labels[name]
      const isNamed = label !== undefined && sentence.startsWith(`${name} `)
      return [name, isNamed ? `${label} ${sentence.slice(name.length + 1)}` : sentence]
    }),
  )
}
