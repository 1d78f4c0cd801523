import type { Refusal } from '../../../platform/errors/refusals.ts'
import { html, type Html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { isolate, plainText } from '../../../platform/input/isolate.ts'
import { linkCode } from '../address.ts'
import type { LinkRow } from '../find-links.ts'
import type { LinkState } from '../link-state.ts'
import { currencySign, plainAmount } from '../../../platform/money/money.ts'
import { displayDay, displayMoney, fill, type Words } from '../../../core/checkout/language.ts'
import { ownFields } from '../../../core/checkout/own-details.ts'
import type { Setting, Shop } from '../../../core/checkout/page-model.ts'
import { mistakeOf } from '../../../core/checkout/parts/form-refused.ts'
import { frame } from '../../../core/checkout/parts/frame.ts'
import { fieldMistake, ownField, problems, type Mistakes } from '../../../core/checkout/parts/own-field.ts'
import { mark } from '../../../core/checkout/parts/marks.ts'
import { logoOf } from '../../../core/checkout/parts/shop/shop.ts'
import { amountLine } from '../../../core/checkout/parts/summary.ts'

// The page of a link: whose it is, what it is for and how much, and who pays. A form and nothing else; the checkout is the
// next page.

export type LinkSetting = Setting & { readonly shop: Shop; readonly link: LinkRow }

export type LinkForm = {
  /** The payment that it leads to, drawn before: sent twice, it leads there once. */
  readonly txRef: string
  readonly token: string
  readonly typed: ReadonlyMap<string, string>
  /** Mistakes in the input. */
  readonly errors: Refusal['errors']
}

export function linkAddress({ prefix, link, language, isChosen }: LinkSetting): string {
  return `${prefix}/link/${linkCode(link)}${isChosen ? `?lang=${language.code}` : ''}`
}

export function linkPage(setting: LinkSetting, form: LinkForm): Page {
  const { words } = setting.language
  const title = sentence(setting, 'payTitle')
  const wrong = mistakesOf(setting, form)
  return frame(setting, {
    title: wrong.size > 0 ? fill(words.errorTitle, { title }) : title,
    isWide: true,
    isTest: setting.link.mode === 'test',
    home: linkAddress(setting),
    content: html`${summary(setting)}
      <section class="card form" aria-labelledby="details">
        ${wrong.size > 0 && problems(words, wrong)}
        <h2 id="details">${words.linkDetails}</h2>
        <form method="post" action="${linkAddress(setting)}" novalidate data-details>
          <input type="hidden" name="ref" value="${form.txRef}" />
          <input type="hidden" name="token" value="${form.token}" />
          ${setting.link.amount_minor === null && amountField(setting, form, wrong)}
          ${(['first_name', 'last_name', 'email'] as const).map((name) => ownField(words, form, name, wrong))}
          <button class="go" type="submit">${words.goOnToPayment}</button>
        </form>
      </section>`,
  })
}

function summary({ link, shop, language, ...setting }: LinkSetting): Html {
  const { words } = language
  const amount =
    link.amount_minor === null ? undefined : displayMoney(link.amount_minor, link.currency, language)
  return html`<section class="summary" aria-labelledby="merchant">
    <div class="merchant">
      ${logoOf(shop)}
      <h1 id="merchant">${sentence({ ...setting, link, shop, language }, 'payTitle')}</h1>
    </div>
    ${amount !== undefined && amountLine({ amount, language })}
    <p class="title"><bdi>${plainText(link.title)}</bdi></p>
    ${link.description !== null && html`<p class="description"><bdi>${plainText(link.description)}</bdi></p>`}
    ${
      link.ends_at !== null &&
      html`<p class="quiet small">${fill(words.linkUntil, { date: displayDay(lastMoment(link.ends_at), language, shop.brand.timeZone) })}</p>`
    }
  </section>`
}

/** The day that ends, not the one that begins then. */
function lastMoment(endsAt: string): Date {
  return new Date(Date.parse(endsAt) - 1)
}

/** In the order of the form. */
function mistakesOf({ language, link }: LinkSetting, { errors, typed }: LinkForm): Mistakes {
  const { words } = language
  const found: [string, string][] = []
  if (errors?.['amount']) found.push(['amount', amountMistake(errors['amount'])])
  for (const name of ['first_name', 'last_name', 'email'] as const)
    if (errors?.[name]) found.push([name, words[mistakeOf({ errors }, name, typed.get(name) ?? '')]])
  return new Map(found)

  function amountMistake(rules: readonly string[]): string {
    if ((typed.get('amount') ?? '') === '') return words.linkAmountMissing
    if (rules.some((rule) => rule.includes('between')))
      return fill(words.linkAmountOutside, { limits: limitsOf({ language, link }) ?? '' })
    const example = plainAmount(link.least_minor ?? 1_000n, link.currency)
    return fill(words.linkAmountWrong, { example: isolate(example, language.direction) })
  }
}

function amountField(setting: LinkSetting, { typed }: LinkForm, wrong: Mistakes): Html {
  const { language, link } = setting
  const limits = limitsOf(setting)
  const described = [limits !== undefined && 'amount-hint', wrong.has('amount') && 'amount-error'].filter(
    Boolean,
  )
  return html`<div class="field">
    <label for="amount">${language.words.amount}</label>
    ${limits !== undefined && html`<p class="quiet small" id="amount-hint">${limits}</p>`}
    <div class="money" dir="ltr">
      <span aria-hidden="true">${currencySign(link.currency, language.locale)}</span>
      <input
        id="amount"
        name="amount"
        value="${typed.get('amount') ?? ''}"
        inputmode="decimal"
        autocomplete="transaction-amount"
        aria-label="${language.words.amount}, ${link.currency}"
        required
        ${described.length > 0 && html`aria-describedby="${described.join(' ')}"`}
        ${wrong.has('amount') && html`aria-invalid="true"`}
      />
    </div>
    ${fieldMistake(wrong, 'amount')}
  </div>`
}

function limitsOf({ language, link }: Pick<LinkSetting, 'language' | 'link'>): string | undefined {
  const { words } = language
  const shown = (minor: bigint | null): string =>
    minor === null ? '' : displayMoney(minor, link.currency, language)
  const values = { least: shown(link.least_minor), most: shown(link.most_minor) }
  if (link.least_minor !== null && link.most_minor !== null) return fill(words.linkAmountRange, values)
  if (link.least_minor !== null) return fill(words.linkAmountLeast, values)
  return link.most_minor === null ? undefined : fill(words.linkAmountMost, values)
}

/** The fields read from a form; all others are ignored. */
export const formNames: readonly string[] = ['amount', ...ownFields]

export type Closed = Exclude<LinkState, 'open'> | 'unavailable'

const texts: Readonly<Record<Closed, readonly [title: keyof Words, body: keyof Words, shape: Shape]>> = {
  paused: ['linkPausedTitle', 'linkPausedBody', 'clock'],
  ended: ['linkEndedTitle', 'linkEndedBody', 'dash'],
  all_taken: ['linkTakenTitle', 'linkTakenBody', 'clock'],
  sold_out: ['linkSoldOutTitle', 'linkSoldOutBody', 'dash'],
  unavailable: ['unavailableTitle', 'unavailableBody', 'dash'],
}

/** For a link to one customer. */
const paidText: (typeof texts)[Closed] = ['linkEndedTitle', 'formPaid', 'tick']

type Shape = Parameters<typeof mark>[0]

export function closedPage(setting: LinkSetting, why: Closed): Page {
  const isPaid = setting.link.kind === 'single' && why === 'sold_out'
  const [title, body, shape] = isPaid ? paidText : texts[why]
  return frame(setting, {
    title: setting.language.words[title],
    isTest: setting.link.mode === 'test',
    home: linkAddress(setting),
    content: html`<section class="card sheet" aria-labelledby="closed">
      ${mark(shape, 'calm')}
      <h1 id="closed">${setting.language.words[title]}</h1>
      <p class="title"><bdi>${plainText(setting.link.title)}</bdi></p>
      <p>${sentence(setting, body)} ${!isPaid && setting.language.words.noMoneyTaken}</p>
    </section>`,
  })
}

function sentence({ language, shop }: LinkSetting, key: keyof Words): string {
  return fill(language.words[key], { merchant: isolate(shop.name, language.direction) })
}

export const linkStyles = new URL('./link.css', import.meta.url)
