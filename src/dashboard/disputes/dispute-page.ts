import { html, type Html } from '../../http/html.ts'
import { readStylesheet } from '../../http/page.ts'
import type { HostedConnector } from '../../connectors/hosted.ts'
import { adviceOn } from '../../disputes/evidence.ts'
import type { DisputeHistoryRow, DisputeRow, DisputeWithLoss } from '../../disputes/find-dispute.ts'
import { describeLoss } from '../../payments/disputed/loss.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { crumb, head, formatExactly, shopTime, type ShopTime } from '../parts/parts.ts'
import { facts, section, timeline, type Happening } from '../parts/things.ts'
import { disputed, disputePill, dueIn, describeReason } from './describe-dispute.ts'

// One dispute: the bank's reason, when and where to send evidence, and its history.

const styles = [readStylesheet(new URL('./disputes.css', import.meta.url))]

type Model = {
  readonly dispute: DisputeWithLoss
  readonly history: readonly DisputeHistoryRow[]
  readonly network: HostedConnector | undefined
}

export function disputePage(ask: MemberAsk, { dispute, history, network }: Model): Content {
  const { home } = ask.place
  const now = shopTime(ask)
  const payment = `${home}/payments/${dispute.number}`
  const due = dispute.evidence_due_at === null ? undefined : new Date(dispute.evidence_due_at)
  const isDue = dispute.state === 'evidence_due'
  return {
    title: `Dispute of ${dispute.tx_ref}`,
    styles,
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
        ['Loss', describeLoss(dispute.loss)],
        ['Order', html`<a href="${payment}">${dispute.tx_ref}</a>`],
        ['Network', network?.label ?? dispute.connector],
        ['At the network', html`<code>${dispute.reference}</code>`],
      ])}
      ${isDue && answer(dispute, network)}
      ${section('What happened', timeline(happenings(history, now), now))}`,
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

function answer(dispute: DisputeWithLoss, network: HostedConnector | undefined): Html {
  const to = network?.disputeUrl?.(dispute.reference)
  const where = network?.label ?? 'the network'
  const button =
    to !== undefined && html`<a class="button go" href="${to}" rel="noreferrer">Answer at ${where}</a>`
  return section(
    'What to send',
    html`<div class="card stack">
      <ol class="evidence">
        ${
          dispute.loss.refundedMinor > 0n &&
          html`<li>Proof of your refund: its date, its amount and its reference at the network.</li>`
        }
        ${adviceOn(dispute.reason).send.map((one) => html`<li>${one}</li>`)}
      </ol>
      <p class="quiet">
        ${
          dispute.mode === 'test'
            ? 'This is the test network: it decides by itself, so there is nowhere to send evidence.'
            : html`Send it from your ${where} dashboard. If the customer is right, accept the dispute there: refunding as well would pay them twice.`
        }
      </p>
      ${button}
    </div>`,
  )
}

const titles: Readonly<Record<DisputeRow['state'], Pick<Happening, 'title' | 'tone'>>> = {
  evidence_due: { title: 'The bank asked for evidence', tone: 'warn' },
  under_review: { title: 'Under review' },
  won: { title: 'Won', tone: 'good' },
  lost: { title: 'Lost', tone: 'bad' },
}

/** Newest first; each line shows what changed. */
function happenings(history: readonly DisputeHistoryRow[], now: ShopTime): Happening[] {
  return history
    .map((one, place) => {
      const before = history[place - 1]
      const isMove = before?.state !== one.state
      return {
        at: new Date(one.at),
        ...(isMove ? titles[one.state] : { title: 'Update from the network' }),
        detail: newsIn(one, before, now),
      }
    })
    .toReversed()
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
