import { html, type Html } from '../../../platform/http/html.ts'
import type { Words } from '../language.ts'
import { ownDetails, type OwnField } from '../own-details.ts'

// Fields that customers fill in about themselves, before they pay.

/** The message for each field with a mistake, in the order of the form. */
export type Mistakes = ReadonlyMap<string, string>
type Typed = { readonly typed: ReadonlyMap<string, string> }

export function problems(words: Words, wrong: Mistakes): Html {
  return html`<div class="problem" tabindex="-1" role="alert" aria-labelledby="problem-heading">
    <h2 id="problem-heading">${words.errorHeading}</h2>
    <ul>
      ${[...wrong].map(([name, message]) => html`<li><a href="#${name}">${message}</a></li>`)}
    </ul>
  </div>`
}

export function ownField(words: Words, { typed }: Typed, name: OwnField, wrong: Mistakes): Html {
  const { label, autocomplete, isRequired } = ownDetails[name]
  // A card number is hidden from anyone looking over the customer's shoulder.
  const value = wrong.get(name) === words.ownCardNumber ? '' : (typed.get(name) ?? '')
  return html`<div class="field">
    <label for="${name}">${words[label]}${!isRequired && html` <span class="quiet">(${words.optional})</span>`}</label>
    <input
      id="${name}"
      name="${name}"
      value="${value}"
      ${name === 'email' && html`type="email" inputmode="email" dir="ltr" autocapitalize="none"`}
      ${isRequired && html`required`}
      autocomplete="${autocomplete}"
      spellcheck="false"
      ${wrong.has(name) && html`aria-invalid="true" aria-describedby="${name}-error"`}
    />
    ${fieldMistake(wrong, name)}
  </div>`
}

export function fieldMistake(wrong: Mistakes, name: string): Html | false {
  const message = wrong.get(name)
  return message !== undefined && html`<p class="error" id="${name}-error">${message}</p>`
}
