import { drawOnce, html, type Html } from '../../http/html.ts'
import type { FieldName } from '../card-form.ts'
import { fill, type Words } from '../language.ts'
import type { PageModel } from '../page-model.ts'

// The browser checks what it can by itself (required, pattern), so that without our script too a slip is found
// before anything is sent. The script switches that off and says it in our words.

type Field = {
  readonly name: FieldName
  readonly autocomplete: string
  readonly hint?: Html | string
  readonly inputmode?: 'numeric'
  readonly pattern?: string
  readonly maxlength: number
  /** What the script may say, by the kind of mistake. */
  readonly says: Readonly<Record<string, keyof Words>>
  readonly after?: Html
}

const anyDigit = '0-9\\u0660-\\u0669\\u06f0-\\u06f9'

const brands = ['Visa', 'Mastercard']

type Filled = Pick<PageModel, 'mistakes' | 'typed'>

/** Without a mistake the fields are the same for everybody who reads the language. */
export function cardFields(model: PageModel): Html {
  const { words } = model.language
  return model.mistakes || model.typed ? drawFields(words, model) : emptyFields(words)
}

const emptyFields = drawOnce((words: Words) => drawFields(words, {}))

function drawFields(words: Words, filled: Filled): Html {
  const number: Field = {
    name: 'number',
    autocomplete: 'cc-number',
    inputmode: 'numeric',
    pattern: `[${anyDigit} .\\-]{12,30}`,
    maxlength: 30,
    says: { missing: 'numberMissing', wrong: 'numberWrong', nottest: 'numberNotTest' },
    after: html`<span class="brands" aria-hidden="true"
      >${brands.map((brand) => html`<span class="brand" data-brand="${brand.toLowerCase()}"></span>`)}</span
    >`,
    hint: html`<span class="unseen">${fill(words.acceptedCards, { brands: brands.join(', ') })}</span>`,
  }
  const expiry: Field = {
    name: 'expiry',
    autocomplete: 'cc-exp',
    inputmode: 'numeric',
    pattern: `[${anyDigit} /.\\-]{4,12}`,
    maxlength: 12,
    hint: words.expiryHint,
    says: { missing: 'expiryMissing', wrong: 'expiryWrong', past: 'expiryPast' },
  }
  const cvc: Field = {
    name: 'cvc',
    autocomplete: 'cc-csc',
    inputmode: 'numeric',
    pattern: `[${anyDigit}]{3}`,
    maxlength: 3,
    hint: words.cvcHint,
    says: { missing: 'cvcMissing', wrong: 'cvcWrong' },
  }
  const name: Field = {
    name: 'name',
    autocomplete: 'cc-name',
    maxlength: 100,
    says: { missing: 'nameMissing', long: 'nameLong' },
  }
  const { typed, mistakes } = filled
  return html`${draw(words, number, '', mistakes?.number)}
    <div class="pair">${draw(words, expiry, typed?.expiry ?? '', mistakes?.expiry)} ${draw(words, cvc, '', mistakes?.cvc)}</div>
    ${draw(words, name, typed?.name ?? '', mistakes?.name)}`
}

function draw(words: Words, field: Field, value: string, mistake: keyof Words | undefined): Html {
  const { name, says } = field
  const describedBy = field.hint ? `${name}-hint ${name}-error` : `${name}-error`
  return html`<div class="field">
    <label for="${name}">${words[name]}</label>
    ${field.hint && html`<p class="hint" id="${name}-hint">${field.hint}</p>`}
    <div class="box">
      <input
        id="${name}"
        name="${name}"
        value="${value}"
        required
        autocomplete="${field.autocomplete}"
        maxlength="${field.maxlength}"
        aria-describedby="${describedBy}"
        ${field.inputmode && html`inputmode="${field.inputmode}" dir="ltr"`}
        ${field.pattern && html`pattern="${field.pattern}"`}
        ${mistake && html`aria-invalid="true"`}
        ${Object.entries(says).map(([kind, key]) => html` data-${kind}="${words[key]}"`)}
        spellcheck="false"
        autocapitalize="off"
      />${field.after}
    </div>
    <p class="error" id="${name}-error" ${!mistake && html`hidden`}>${mistake && words[mistake]}</p>
  </div>`
}
