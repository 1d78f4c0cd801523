import type { ReplyRow } from '../replies/answer-dispute.ts'
import type { Happening } from '../../../dashboard/parts/things.ts'
import { describeParts } from './answer-page.ts'

// What became of the merchant's answers, for the timelines of the dispute and of its payment.

type Titles = Readonly<Record<ReplyRow['state'], Pick<Happening, 'title' | 'tone'>>>

const titles: Readonly<Record<ReplyRow['kind'], Titles>> = {
  evidence: {
    sent: { title: 'Evidence sent to the network' },
    requested: { title: 'Evidence is on its way to the network', tone: 'warn' },
    refused: { title: 'The network refused the evidence', tone: 'bad' },
    not_sent: { title: 'The evidence didn’t reach the network', tone: 'bad' },
  },
  acceptance: {
    sent: { title: 'Dispute accepted' },
    requested: { title: 'Accepting the dispute', tone: 'warn' },
    refused: { title: 'The network refused to close the dispute', tone: 'bad' },
    not_sent: { title: 'Accepting the dispute didn’t reach the network', tone: 'bad' },
  },
}

/** With who did it, and what was sent or why it wasn't. */
export function describeReply(
  reply: ReplyRow,
  names: ReadonlyMap<string, string>,
): Happening & { readonly detail: string } {
  const sentences = [
    `By ${names.get(reply.actor) ?? reply.actor}`,
    ...(reply.parts.length > 0 ? [describeParts(reply.parts)] : []),
    ...(reply.state === 'requested' ? ['The network hasn’t confirmed it. Florin asks until it does'] : []),
    ...(reply.state === 'not_sent' ? ['Send it again before it is due'] : []),
    ...(reply.failure === null ? [] : [reply.failure.replace(/\.$/, '')]),
  ]
  return {
    at: new Date(reply.ended_at ?? reply.requested_at),
    ...titles[reply.kind][reply.state],
    detail: `${sentences.join('. ')}.`,
  }
}
