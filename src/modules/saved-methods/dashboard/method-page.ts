import { html, type Html } from '../../../platform/http/html.ts'
import type { PaymentRow } from '../../../core/payments/support/search-payments.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import type { GivenConsent } from '../consents.ts'
import type { MethodRow } from '../find-methods.ts'
import type { ChargeRules } from '../rules.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { emptyList, type Column } from '../../../dashboard/parts/lists.ts'
import { crumb, form, formatExactly, head, shopTime } from '../../../dashboard/parts/parts.ts'
import { customerLink, facts, section } from '../../../dashboard/parts/things.ts'
import { describeWhy } from '../../../dashboard/payments/describe-why.ts'
import { paymentPath } from '../../../dashboard/payments/filter.ts'
import { paymentStyles, paymentTable } from '../../../dashboard/payments/list-page.ts'
import {
  describeAgreement,
  describeExpiry,
  describeLimit,
  describeSaved,
  methodPath,
  standingOfMethod,
} from './words.ts'

// One saved method: whose it is, what they agreed to, what was charged, and how to end it.

export type MethodModel = {
  readonly method: MethodRow
  /** The payment that saved it. */
  readonly first: PaymentRow
  readonly charges: readonly PaymentRow[]
  readonly customerPath: string | undefined
  /** What the customer read and agreed to. */
  readonly consent: GivenConsent | undefined
  readonly rules: Pick<ChargeRules, 'isStopped'>
}

export function methodPage(ask: MemberAsk, model: MethodModel): Content {
  const { method, first, charges, consent } = model
  const name = describeSaved(ask, method)
  return {
    title: name,
    styles: paymentStyles,
    body: html`<div class="head">
        <div>
          ${crumb(model.customerPath ?? `${ask.place.home}/payments`, model.customerPath === undefined ? 'Payments' : first.email)}
          <h1>${name}</h1>
          <p class="quiet ref">${method.id}</p>
        </div>
        ${actions(ask, model)}
      </div>
      ${model.rules.isStopped && method.ended_at === null && stopped(ask)}
      ${facts([
        ['State', standingOfMethod(ask, method)],
        [
          'Customer',
          html`${first.first_name} ${first.last_name}<br />${customerLink(first.email, model.customerPath)}`,
        ],
        ['Your reference', html`<code>${method.customer_ref}</code>`],
        ['Expires', describeExpiry(method) || undefined],
        ['For', describeAgreement(method.agreement)],
        ['Most per day', describeLimit(method) || 'No amount was named'],
        ['Saved', saved(ask, method, first)],
        [
          'Ended',
          method.ended_at === null ? undefined : formatExactly(new Date(method.ended_at), shopTime(ask)),
        ],
      ])}
      ${section('Charges', chargeTable(ask, charges))}
      ${consent && section('What the customer agreed to', evidence(ask, consent))}`,
  }
}

function actions(ask: MemberAsk, { method }: MethodModel): Html | undefined {
  if (method.ended_at !== null || !hasRight(ask.place.role, 'payments.refund')) return undefined
  const path = methodPath(ask, method.id)
  return html`<div class="actions">
    <a class="button go" href="${path}/charge">Charge</a>
    <a class="button plain" href="${path}/end">End</a>
  </div>`
}

function stopped({ place }: MemberAsk): Html {
  const page = html`<a href="${place.home}/settings/saved-methods">Settings, Saved methods</a>`
  return html`<div class="problem warn">
    <h2>Charges are stopped</h2>
    <p>
      No saved method is charged in ${place.mode} mode until an owner allows it again in
      ${hasRight(place.role, 'settings.view') ? page : 'Settings, Saved methods'}.
    </p>
  </div>`
}

function saved(ask: MemberAsk, { saved_at }: MethodRow, first: PaymentRow): Html {
  return html`${formatExactly(new Date(saved_at), shopTime(ask))}<br /><a
      href="${paymentPath(ask, first)}"
      >${first.tx_ref}</a
    >`
}

const why: Column<PaymentRow> = {
  label: 'Why',
  draw: ({ failure_reason: reason }) => (reason === null ? '' : describeWhy(reason)),
}

function chargeTable(ask: MemberAsk, rows: readonly PaymentRow[]): Html {
  if (rows.length === 0)
    return emptyList('No charges yet', 'Your program charges it with POST /api/saved-methods/{id}/charges.')
  const hasFailed = rows.some(({ failure_reason }) => failure_reason !== null)
  return paymentTable(ask, { label: 'Charges', rows, also: hasFailed ? [why] : [] })
}

function evidence(ask: MemberAsk, { words, at, language, address }: GivenConsent): Html {
  return html`<div class="card stack">
    <p lang="${language}">“${words}”</p>
    <p class="quiet">
      Shown above the button, and accepted by paying on ${formatExactly(new Date(at), shopTime(ask))}${address !== null && `, from ${address}`}.
      Use it as evidence if the customer disputes a charge.
    </p>
  </div>`
}

export function endMethodPage(
  ask: MemberAsk,
  { method, first }: Pick<MethodModel, 'method' | 'first'>,
): Content {
  const path = methodPath(ask, method.id)
  const name = describeSaved(ask, method)
  return {
    title: 'End saved method',
    styles: paymentStyles,
    body: html`${head('End this saved method?', { crumb: crumb(path, name) })}
      <div class="card form">
        ${
          method.ended_at === null
            ? html`<p>
                You can’t charge ${first.first_name} ${first.last_name} with <b>${name}</b> again, and the network
                deletes its record of it. Charges under way finish. Your server is notified.
              </p>
              <p class="quiet">This can’t be undone: the customer has to pay once more to save a method.</p>`
            : html`<p>This method has already ended.</p>`
        }
        ${form(
          ask,
          `${path}/end`,
          html`<div class="actions">
            ${method.ended_at === null && html`<button class="danger">End saved method</button>`}
            <a class="button plain" href="${path}">${method.ended_at === null ? 'Keep' : 'Go back'}</a>
          </div>`,
        )}
      </div>`,
  }
}
