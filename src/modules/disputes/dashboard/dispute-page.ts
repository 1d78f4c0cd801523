import { html, type Html } from '../../../platform/http/html.ts'
import type { HostedConnector } from '../../../core/networks/hosted.ts'
import { winningText } from '../../../core/test-network/dispute-replies.ts'
import { adviceOn, describeReason } from '../evidence.ts'
import type { DisputeHistoryRow, DisputeRow, DisputeWithLoss } from '../find-dispute.ts'
import type { ReplyRow } from '../replies/answer-dispute.ts'
import { describeLoss } from '../../../core/payments/disputed/loss.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { networkName } from '../../../dashboard/network-name.ts'
import { crumb, head, formatExactly, shopTime, type ShopTime } from '../../../dashboard/parts/parts.ts'
import { facts, section, timeline, type Happening } from '../../../dashboard/parts/things.ts'
import { refundProof } from './answer-page.ts'
import { disputed, disputePill, dueIn } from './describe-dispute.ts'
import { disputeStyles } from './dispute-styles.ts'
import { describeReply } from './reply-words.ts'

// One dispute: the bank's reason, when and where to send evidence, and its history.

type Model = {
  readonly dispute: DisputeWithLoss
  readonly history: readonly DisputeHistoryRow[]
  readonly network: HostedConnector | undefined
  /** Newest first. */
  readonly replies: readonly ReplyRow[]
  readonly names: ReadonlyMap<string, string>
  /** Whether it is answered here, at the network, or not now and why. */
  readonly answering: 'here' | 'at_network' | { readonly reason: string }
}

export function disputePage(ask: MemberAsk, model: Model): Content {
  const { dispute } = model
  const { home } = ask.place
  const now = shopTime(ask)
  const payment = `${home}/payments/${dispute.number}`
  const due = dispute.evidence_due_at === null ? undefined : new Date(dispute.evidence_due_at)
  const isDue = dispute.state === 'evidence_due'
  return {
    title: `Dispute of ${dispute.tx_ref}`,
    styles: disputeStyles,
    body: html`${head('Dispute', {
      lead: dispute.tx_ref,
      crumb: crumb(`${home}/disputes`, 'Disputes'),
      action: html`<a class="button plain" href="${payment}">View payment</a>`,
    })}
      <p class="quiet">${meaningOf(dispute)}</p>
      ${facts([
        ['Disputed', disputed(dispute)],
        ['State', disputePill(dispute.state)],
        ['Evidence due', isDue && due ? html`${dueIn(due, now)}, ${formatExactly(due, now)}` : undefined],
        [
          'The bank’s reason',
          html`${adviceOn(dispute.reason).says} <span class="quiet">(${describeReason(dispute.reason)})</span>`,
        ],
        ['Money', dispute.money_taken ? 'The bank has it' : 'You have it'],
        ['Lost on top of the payment', describeLoss(dispute.loss)],
        ['Order', html`<a href="${payment}">${dispute.tx_ref}</a>`],
        ['Network', networkName(ask, dispute.connector)],
        ['At the network', html`<code>${dispute.reference}</code>`],
      ])}
      ${isDue && answer(ask, model)}
      ${section('What happened', timeline(happenings(model, now), now))}`,
  }
}

function meaningOf({ state, money_taken: isTaken }: DisputeRow): string {
  if (state === 'evidence_due')
    return `${isTaken ? 'The bank holds the money until the dispute is decided.' : 'The bank is asking; it hasn’t taken any money.'} If you don’t answer, you lose the dispute. You can’t refund this payment while it is open.`
  if (state === 'under_review')
    return 'The bank has your evidence and is deciding. You don’t need to do anything; we’ll e-mail you the decision.'
  if (state === 'won')
    return isTaken ? 'You won. The money is on its way back to you.' : 'You won. You keep the money.'
  return isTaken
    ? 'The customer won and has the money back. Treat the order as unpaid, and don’t refund it too.'
    : 'The customer won. This dispute took no money from you.'
}

function answer(ask: MemberAsk, { dispute, network, answering }: Model): Html {
  return section(
    'What to send',
    html`<div class="card stack">
      <ol class="evidence">
        ${dispute.loss.refundedMinor > 0n && html`<li>${refundProof}</li>`}
        ${adviceOn(dispute.reason).send.map((one) => html`<li>${one}</li>`)}
      </ol>
      ${answering === 'here' ? ways(ask, dispute) : answering === 'at_network' ? atNetwork(dispute, network) : html`<p class="quiet">${answering.reason}.</p>`}
    </div>`,
  )
}

function ways(ask: MemberAsk, { id, mode }: DisputeWithLoss): Html {
  if (!hasRight(ask.place.role, 'payments.refund'))
    return html`<p class="quiet">An owner or someone from support can send evidence or accept the dispute.</p>`
  const path = `${ask.place.home}/disputes/${id}`
  return html`${
    mode === 'test' &&
    html`<p class="quiet">
        This is the test network. Evidence with <code>${winningText}</code> in a text wins, any other loses. The cards
        that end in 2685 and 0259 decide by themselves after a minute.
      </p>`
  }
    <div class="actions">
      <a class="button go" href="${path}/answer">Send evidence</a>
      <a class="button plain" href="${path}/accept">Accept the dispute</a>
    </div>
    <p class="quiet">Accept it if the customer is right: refunding as well would pay them twice.</p>`
}

function atNetwork(dispute: DisputeWithLoss, network: HostedConnector | undefined): Html {
  const to = network?.disputeUrl?.(dispute.reference)
  const where = network?.label ?? 'the network'
  return html`<p class="quiet">
      Send it from your ${where} dashboard. If the customer is right, accept the dispute there: refunding as well would pay
      them twice.
    </p>
    ${to !== undefined && html`<a class="button go" href="${to}" rel="noreferrer">Answer at ${where}</a>`}`
}

const titles: Readonly<Record<DisputeRow['state'], Pick<Happening, 'title' | 'tone'>>> = {
  evidence_due: { title: 'The bank asked for evidence', tone: 'warn' },
  under_review: { title: 'Under review' },
  won: { title: 'Won', tone: 'good' },
  lost: { title: 'Lost', tone: 'bad' },
}

/** Newest first; each line shows what changed. */
function happenings({ history, replies, names }: Model, now: ShopTime): Happening[] {
  const moves = history.map((one, place) => {
    const before = history[place - 1]
    const isMove = before?.state !== one.state
    return {
      at: new Date(one.at),
      ...(isMove ? titles[one.state] : { title: 'Update from the network' }),
      detail: newsIn(one, before, now),
    }
  })
  const answers = replies.map((reply) => describeReply(reply, names)).toReversed()
  // At one moment the answer comes first: it is why the network moved.
  return [...answers, ...moves].toSorted((one, other) => one.at.getTime() - other.at.getTime()).toReversed()
}

function newsIn(
  one: DisputeHistoryRow,
  before: DisputeHistoryRow | undefined,
  now: ShopTime,
): string | undefined {
  const news = []
  if (one.money_taken !== (before?.money_taken ?? false))
    news.push(one.money_taken ? 'The bank took the money.' : 'The money came back.')
  if (before && before.reason !== one.reason) news.push(`Reason: ${describeReason(one.reason)}.`)
  if (
    one.state === 'evidence_due' &&
    one.evidence_due_at !== null &&
    one.evidence_due_at !== before?.evidence_due_at
  )
    news.push(`Evidence due by ${formatExactly(new Date(one.evidence_due_at), now)}.`)
  return news.length === 0 ? undefined : news.join(' ')
}
