import { html, type Html } from '../../http/html.ts'
import { readStylesheet } from '../../http/page.ts'
import type { HostedConnector } from '../../connectors/hosted.ts'
import { adviceOn } from '../../disputes/evidence.ts'
import type { DisputeHistoryRow, DisputeRow, DisputeWithLoss } from '../../disputes/find-dispute.ts'
import { sayLoss } from '../../payments/disputed/loss.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { crumb, head, sayExactly } from '../parts/parts.ts'
import { facts, section, timeline, type Happening } from '../parts/things.ts'
import { disputed, disputePill, dueIn, sayReason } from './say-dispute.ts'

// One dispute: what the bank says, until when to answer, with what and where, and what happened.

const styles = [readStylesheet(new URL('./disputes.css', import.meta.url))]

type Model = {
  readonly dispute: DisputeWithLoss
  readonly history: readonly DisputeHistoryRow[]
  readonly network: HostedConnector | undefined
}

export function disputePage(ask: MemberAsk, { dispute, history, network }: Model): Content {
  const { home } = ask.place
  const now = ask.people.now()
  const payment = `${home}/payments/${dispute.number}`
  const due = dispute.evidence_due_at === null ? undefined : new Date(dispute.evidence_due_at)
  const isDue = dispute.state === 'evidence_due'
  return {
    title: `Dispute of ${dispute.tx_ref}`,
    styles,
    body: html`${head(dispute.tx_ref, {
      crumb: crumb(`${home}/disputes`, 'Disputes'),
      action: html`<a class="button plain" href="${payment}">To the payment</a>`,
    })}
      <p class="quiet">${meaningOf(dispute)}</p>
      ${facts([
        ['Disputed', disputed(dispute)],
        ['State', disputePill(dispute.state)],
        ['Answer due', isDue && due ? html`${dueIn(due, now)}, ${sayExactly(due)}` : undefined],
        [
          'The bank says',
          html`${adviceOn(dispute.reason).says} <span class="quiet">(${sayReason(dispute.reason)})</span>`,
        ],
        ['Money', dispute.money_taken ? 'With the bank' : 'With you'],
        ['Loss', sayLoss(dispute.loss)],
        ['Order', html`<a href="${payment}">${dispute.tx_ref}</a>`],
        ['Network', network?.label ?? dispute.connector],
        ['At the network', html`<code>${dispute.reference}</code>`],
      ])}
      ${isDue && answer(dispute, network)}
      ${section('What happened', timeline(happenings(history), now))}`,
  }
}

function meaningOf({ state, money_taken: isTaken }: DisputeRow): string {
  if (state === 'evidence_due')
    return `${isTaken ? 'The bank holds the money for as long as the dispute lasts.' : 'The bank asks; no money was taken so far.'} Without an answer the dispute is lost. Nothing of this payment can be refunded meanwhile.`
  if (state === 'under_review')
    return 'The bank has what you sent and decides. There is nothing for you to do; you get a mail when it is decided.'
  if (state === 'won')
    return isTaken ? 'Decided for you. The money is on its way back.' : 'Decided for you. The money is yours.'
  return isTaken
    ? 'Decided for the customer, who has the money. Treat the order as unpaid, and do not refund it as well.'
    : 'Decided for the customer. No money was taken from you in this dispute.'
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
            ? 'This is the test network: it decides by itself, and there is nowhere to send it.'
            : html`Send it in the dashboard of ${where}. If the customer is right, accept the dispute there: a refund on top would pay them twice.`
        }
      </p>
      ${button}
    </div>`,
  )
}

const titles: Readonly<Record<DisputeRow['state'], Pick<Happening, 'title' | 'tone'>>> = {
  evidence_due: { title: 'The bank asks for an answer', tone: 'warn' },
  under_review: { title: 'Under review' },
  won: { title: 'Won', tone: 'good' },
  lost: { title: 'Lost', tone: 'bad' },
}

/** Newest first: each line says what is new in it. */
function happenings(history: readonly DisputeHistoryRow[]): Happening[] {
  return history
    .map((one, place) => {
      const before = history[place - 1]
      const isMove = before?.state !== one.state
      return {
        at: new Date(one.at),
        ...(isMove ? titles[one.state] : { title: 'Something new from the network' }),
        detail: newsIn(one, before),
      }
    })
    .toReversed()
}

function newsIn(one: DisputeHistoryRow, before: DisputeHistoryRow | undefined): string | undefined {
  const news = []
  if (one.money_taken !== (before?.money_taken ?? false))
    news.push(one.money_taken ? 'The bank took the money.' : 'The money came back.')
  if (before && before.reason !== one.reason) news.push(`Reason: ${sayReason(one.reason)}.`)
  if (
    one.state === 'evidence_due' &&
    one.evidence_due_at !== null &&
    one.evidence_due_at !== before?.evidence_due_at
  )
    news.push(`Answer by ${sayExactly(new Date(one.evidence_due_at))}.`)
  return news.length === 0 ? undefined : news.join(' ')
}
