import { html, type Html } from '../../../platform/http/html.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import type { RefundHistoryRow, RefundRow } from '../find-refunds.ts'
import { describeFailure } from '../describe-failure.ts'
import { refundStatus, type RefundEvent } from '../state-machine.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { amount, statePill } from '../../../dashboard/parts/lists.ts'
import { crumb, head, formatExactly, shopTime } from '../../../dashboard/parts/parts.ts'
import { facts, section, timeline, type Fact, type Happening } from '../../../dashboard/parts/things.ts'

// One refund: amount, state, what it means, history.

type Model = {
  readonly refund: RefundRow
  readonly history: readonly RefundHistoryRow[]
  /** What modules add. */
  readonly added: readonly Fact[]
}

export function refundPage(ask: MemberAsk, { refund, history, added }: Model): Content {
  const { home } = ask.place
  const payment = `${home}/payments/${refund.number}`
  const sum = displayAmount(refund.amount_minor, refund.currency, 'en-GB')
  return {
    title: `Refund of ${sum}`,
    body: html`${head(`Refund of ${sum}`, {
      crumb: crumb(`${home}/refunds`, 'Refunds'),
      action: html`<a class="button plain" href="${payment}">View payment</a>`,
    })}
      ${refundState(refund)}
      ${facts([
        ['refund_ref', html`<code>${refund.refund_ref}</code>`],
        ['Status', statePill(refundStatus[refund.state])],
        ['Order', html`<a href="${payment}">${refund.tx_ref}</a>`],
        ['Reason, for the customer', refund.reason ?? undefined],
        [
          'Platform fee returned',
          refund.fee_returned_minor > 0n ? amount(refund.fee_returned_minor, refund.currency) : undefined,
        ],
        ...added,
        ['At the network', code(refund.refund_reference)],
        ['Payment reference', code(refund.reference)],
        ['Requested', formatExactly(new Date(refund.created_at), shopTime(ask))],
      ])}
      ${section('What happened', timeline(happenings(refund, history), shopTime(ask)))}`,
  }
}

function code(text: string | null): Html | undefined {
  return text === null ? undefined : html`<code>${text}</code>`
}

/** What happened, what it means for the money, what to do next. */
function refundState(refund: RefundRow): Html {
  if (refund.state === 'failed') {
    const { what, remedy } = describeFailure(refund.failure)
    return html`<div class="problem">
      <h2>The refund failed</h2>
      <p>${what}</p>
      <p><strong>What to do:</strong> ${remedy}</p>
    </div>`
  }
  return html`<p class="quiet">${meanings[refund.state]}</p>`
}

const meanings: Readonly<Record<Exclude<RefundRow['state'], 'failed'>, string>> = {
  requested:
    'Florin recorded the refund, and the network hasn’t answered yet. Florin keeps asking; you don’t need to do anything.',
  submitted:
    'The network has the refund and hasn’t decided. Florin keeps asking; you don’t need to do anything.',
  succeeded: 'The money is on its way. It can take up to ten days to reach the customer’s account.',
}

function happenings(refund: RefundRow, history: readonly RefundHistoryRow[]): Happening[] {
  const last = history.at(-1)
  return [
    {
      at: new Date(refund.created_at),
      title: 'Requested',
      detail: refund.asked_all ? 'Everything left on the payment.' : undefined,
    },
    ...history.map((one) => ({
      at: new Date(one.at),
      ...describeEvent(one.event),
      detail: one === last && one.to_state === 'failed' ? describeFailure(refund.failure).what : undefined,
    })),
  ].toReversed()
}

const words: Readonly<Record<RefundEvent, Pick<Happening, 'title' | 'tone'>>> = {
  accepted: { title: 'Accepted by the network' },
  paid_back: { title: 'Paid back', tone: 'good' },
  refused: { title: 'Failed', tone: 'bad' },
  came_back: { title: 'The customer’s bank sent the money back', tone: 'bad' },
  paid_back_late: { title: 'Paid back after all', tone: 'good' },
}

function describeEvent(event: string): Pick<Happening, 'title' | 'tone'> {
  return Object.hasOwn(words, event) ? words[event as RefundEvent] : { title: event.replaceAll('_', ' ') }
}
