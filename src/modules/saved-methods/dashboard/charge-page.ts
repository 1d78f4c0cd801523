import { html, type Html } from '../../../platform/http/html.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import { displayAmount, plainAmount } from '../../../platform/money/money.ts'
import type { PaymentRow } from '../../../core/payments/support/search-payments.ts'
import { hasOneCurrency, type ChargeRequest } from '../charge-method.ts'
import type { MethodRow } from '../find-methods.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { select } from '../../../dashboard/parts/lists.ts'
import {
  crumb,
  field,
  form,
  formatExactly,
  head,
  problems,
  shopTime,
  type Mistakes,
} from '../../../dashboard/parts/parts.ts'
import { facts } from '../../../dashboard/parts/things.ts'
import { paymentStyles } from '../../../dashboard/payments/list-page.ts'
import { describeSaved, isWaiting, methodPath } from './words.ts'

// Charging a saved method by hand: a form, then a confirmation.

export type ChargeModel = {
  readonly method: MethodRow
  /** The payment that saved it. */
  readonly first: PaymentRow
  /** The tx_ref, so a form sent twice makes one charge. */
  readonly txRef: string
}

export function chargeSavedPage(
  ask: MemberAsk,
  { method, first, txRef }: ChargeModel,
  typed: FormFields = new Map(),
  mistakes: Mistakes = {},
): Content {
  const path = methodPath(ask, method.id)
  const name = describeSaved(ask, method)
  return {
    title: 'Charge',
    styles: paymentStyles,
    body: html`${head('Charge', {
      crumb: crumb(path, name),
      lead: `${first.first_name} ${first.last_name}, without asking them`,
    })}
    <div class="card form">
      ${problems(mistakes)}
      ${
        method.ended_at === null
          ? form(ask, `${path}/charge`, fields(ask, method, { typed, mistakes, txRef }))
          : html`<p>This method has ended, and can’t be charged.</p>
              <div><a class="button plain" href="${path}">Go back</a></div>`
      }
    </div>`,
  }
}

type Typing = { readonly typed: FormFields; readonly mistakes: Mistakes; readonly txRef: string }

function fields(ask: MemberAsk, method: MethodRow, { typed, mistakes, txRef }: Typing): Html {
  const { limit_minor, limit_currency } = method
  const shop = hasOneCurrency(method) ? [] : ask.place.merchant.currencies.keys()
  const currencies = [...new Set([limit_currency, ...shop])].map((code) => [code, code] as const)
  const most = limit_minor === null ? undefined : displayAmount(limit_minor, limit_currency, 'en-GB')
  const waits = isWaiting(method, ask.core.now())
  return html`${waits && html`<p class="error">The last charge was declined. Florin refuses the next one until ${formatExactly(new Date(method.retry_at ?? ''), shopTime(ask))}.</p>`}
    <div class="pair">
      ${field(
        {
          name: 'amount',
          label: 'Amount',
          value: typed.get('amount'),
          autocomplete: 'off',
          hint: most === undefined ? undefined : `The customer agreed to ${most} a day`,
        },
        mistakes,
      )}
      ${select('currency', 'Currency', currencies, typed.get('currency') ?? limit_currency)}
    </div>
    ${field(
      {
        name: 'description',
        label: 'What it is for (optional)',
        value: typed.get('description'),
        hint: 'The customer sees it on the receipt.',
        autocomplete: 'off',
      },
      mistakes,
    )}
    ${field(
      {
        name: 'tx_ref',
        label: 'Your reference (tx_ref)',
        value: typed.get('tx_ref') ?? txRef,
        hint: 'Unique for each payment, such as the number of an invoice.',
        autocomplete: 'off',
      },
      mistakes,
    )}
    <label class="choice">
      <input type="checkbox" name="email_customer" value="yes" ${typed.has('email_customer') && html`checked`} />
      <span>E-mail the customer if their bank wants them</span>
      <span class="hint">With a link to approve the charge</span>
    </label>
    <div><button class="go">Continue</button></div>`
}

export function confirmChargePage(
  ask: MemberAsk,
  { method, first }: Pick<ChargeModel, 'method' | 'first'>,
  request: ChargeRequest,
): Content {
  const { amountMinor, currency, description, txRef, mailsCustomer } = request
  const path = methodPath(ask, method.id)
  const sum = displayAmount(amountMinor, currency, 'en-GB')
  return {
    title: `Charge ${sum}`,
    styles: paymentStyles,
    body: html`${head(`Charge ${sum}?`, { crumb: crumb(path, describeSaved(ask, method)) })}
      <div class="card form">
        ${facts([
          ['Charge', html`<b class="figures">${sum}</b>`],
          ['From', html`${first.first_name} ${first.last_name}<br />${first.email}`],
          ['With', describeSaved(ask, method)],
          ['For', description ?? undefined],
          ['Your reference', html`<code>${txRef}</code>`],
        ])}
        <p class="quiet">The customer isn’t asked. They get a receipt by e-mail.</p>
        ${form(
          ask,
          `${path}/charge/do/confirm`,
          html`${hidden('amount', plainAmount(amountMinor, currency))} ${hidden('currency', currency)}
            ${hidden('description', description ?? '')} ${hidden('tx_ref', txRef)}
            ${mailsCustomer && hidden('email_customer', 'yes')}
            <div class="actions">
              <button class="danger">Charge ${sum}</button>
              <a class="button plain" href="${path}">Go back</a>
            </div>`,
        )}
      </div>`,
  }
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" autocomplete="off" />`
}
