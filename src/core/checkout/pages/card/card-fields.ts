import { drawAround, html, type Holes, type Html } from '../../../../platform/http/html.ts'
import { plainText } from '../../../../platform/input/isolate.ts'
import { nameMax, type FieldMistakes, type FieldName } from '../../card-form.ts'
import { fill, type Words } from '../../language.ts'
import type { PageModel } from '../../page-model.ts'
import { brands, cardMark, codePlace } from './card-marks.ts'

// The script finds slips before anything is sent; without it the server does. Both say them in our words, in the language of the
// page: the form switches the browser's own messages off. What a field takes is still said to programs that fill it in.

type Field = {
  readonly name: FieldName
  readonly autocomplete: string
  /** For screen readers: sighted users see it in the field itself. */
  readonly hint?: Html | string
  readonly inputmode?: 'numeric'
  readonly placeholder?: string
  readonly pattern?: string
  readonly maxlength: number
  /** The script's messages, by the kind of mistake. */
  readonly says: Readonly<Record<string, keyof Words>>
  readonly after?: Html
}

const anyDigit = '0-9\\u0660-\\u0669\\u06f0-\\u06f9'

type Filled = {
  readonly mistakes?: FieldMistakes | undefined
  readonly typed?: PageModel['typed'] | undefined
}

/** `told`: what the bank said of a field. Without a mistake the card's own fields are the same for everybody who reads the language. */
export function cardFields(model: PageModel, told?: FieldMistakes): Html {
  const { words } = model.language
  const { mistakes = told, typed } = model
  const { first_name, last_name } = model.view.payment
  const name = typed?.name ?? plainText(`${first_name} ${last_name}`).trim().slice(0, nameMax)
  if (!mistakes && !typed) return emptyCard(words, { name })
  return html`${drawCard(words, { mistakes, typed })} ${drawName(words, name, mistakes)}`
}

const emptyCard = drawAround(
  (words: Words, { name }: Holes<'name'>) => html`${drawCard(words, {})} ${drawName(words, name, undefined)}`,
)

function drawName(words: Words, name: Html | string, mistakes: FieldMistakes | undefined): Html {
  return html`<div class="field">
    <div class="joined">
      <div class="cell whole">${draw(words, nameField, name, mistakes?.name)}</div>
    </div>
    ${errorOf(words, 'name', mistakes?.name)}
  </div>`
}

const nameField: Field = {
  name: 'name',
  autocomplete: 'cc-name',
  maxlength: nameMax,
  says: { missing: 'nameMissing', long: 'nameLong' },
}

/** Number, date and code together as on a card: one frame, with the mistakes below it. */
function drawCard(words: Words, { typed, mistakes }: Filled): Html {
  const { number, expiry, cvc } = fieldsOfCard(words)
  return html`<div class="field">
    <div class="joined">
      <div class="cell whole">${draw(words, number, '', mistakes?.number)}</div>
      <div class="cell">${draw(words, expiry, typed?.expiry ?? '', mistakes?.expiry)}</div>
      <div class="cell">${draw(words, cvc, '', mistakes?.cvc)}</div>
    </div>
    ${errorOf(words, 'number', mistakes?.number)} ${errorOf(words, 'expiry', mistakes?.expiry)} ${errorOf(words, 'cvc', mistakes?.cvc)}
  </div>`
}

function fieldsOfCard(words: Words): Readonly<Record<'number' | 'expiry' | 'cvc', Field>> {
  return {
    number: {
      name: 'number',
      autocomplete: 'cc-number',
      inputmode: 'numeric',
      pattern: `[${anyDigit} .\\-]{12,30}`,
      maxlength: 30,
      says: { missing: 'numberMissing', wrong: 'numberWrong', nottest: 'numberNotTest' },
      after: html`<span class="brands" aria-hidden="true">${brands.map(cardMark)}</span>`,
      hint: fill(words.acceptedCards, { brands: brands.map(({ name }) => name).join(', ') }),
    },
    expiry: {
      name: 'expiry',
      autocomplete: 'cc-exp',
      inputmode: 'numeric',
      placeholder: words.expiryHint,
      pattern: `[${anyDigit} /.\\-]{4,12}`,
      maxlength: 12,
      hint: words.expiryHint,
      says: { missing: 'expiryMissing', wrong: 'expiryWrong', past: 'expiryPast' },
    },
    cvc: {
      name: 'cvc',
      autocomplete: 'cc-csc',
      inputmode: 'numeric',
      pattern: `[${anyDigit}]{3,4}`,
      maxlength: 4,
      hint: html`<span data-side="back">${words.cvcHint}</span><span data-side="front">${words.cvcHintFront}</span>`,
      says: { missing: 'cvcMissing', wrong: 'cvcWrong', wrongfront: 'cvcWrongFront' },
      after: codePlace,
    },
  }
}

function draw(words: Words, field: Field, value: Html | string, mistake: keyof Words | undefined): Html {
  const { name, says } = field
  const describedBy = field.hint ? `${name}-hint ${name}-error` : `${name}-error`
  return html`<label for="${name}">${words[name]}</label>
    ${field.hint && html`<p class="unseen" id="${name}-hint">${field.hint}</p>`}
    <div class="box">
      <input
        id="${name}"
        name="${name}"
        value="${value}"
        required
        autocomplete="${field.autocomplete}"
        maxlength="${field.maxlength}"
        aria-describedby="${describedBy}"
        ${field.inputmode ? html`inputmode="${field.inputmode}" dir="ltr"` : html`dir="auto"`}
        ${field.placeholder && html`placeholder="${field.placeholder}"`}
        ${field.pattern && html`pattern="${field.pattern}"`}
        ${mistake && html`aria-invalid="true"`}
        ${Object.entries(says).map(([kind, key]) => html` data-${kind}="${words[key]}"`)}
        spellcheck="false"
        autocapitalize="off"
      />${field.after}
    </div>`
}

function errorOf(words: Words, name: FieldName, mistake: keyof Words | undefined): Html {
  return html`<p class="error" id="${name}-error" ${!mistake && html`hidden`}>${mistake && words[mistake]}</p>`
}
