import type { Evidence } from '../../../core/networks/dispute-replies.ts'
import { findDispute, type DisputeWithLoss } from '../find-dispute.ts'
import { answerDispute, repliesOf, whyNotAnswerable, type ReplyEnd } from '../replies/answer-dispute.ts'
import { takesReplies } from '../replies/network-replies.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { byPerson } from '../../../dashboard/people/people.ts'
import type { Answer, Content, MemberAsk, Route } from '../../../dashboard/ask.ts'
import { forMember, go, show } from '../../../dashboard/define-route.ts'
import type { NoticeName } from '../../../dashboard/notices.ts'
import { idIn, orMadeBefore } from '../../../dashboard/once.ts'
import type { Mistakes } from '../../../dashboard/parts/parts.ts'
import { acceptPage, answerPage, type AnswerModel } from './answer-page.ts'
import { networkLabel } from './describe-dispute.ts'
import { readEvidence } from './read-evidence.ts'

// The forms that answer a dispute. Writing evidence takes longer than ten minutes, so the form asks for no fresh proof;
// accepting a dispute gives money away and does.

/** Above the limit of all files, so that files a bit too large are told of on the form. */
const bodyBytesMax = 8 * 1024 * 1024

export async function disputeOf({ core, place, params }: MemberAsk): Promise<DisputeWithLoss> {
  const { merchant, mode } = place
  return findDispute(core.db, { merchantId: merchant.id, mode, id: params['dispute'] ?? '' })
}

async function modelOf(ask: MemberAsk): Promise<AnswerModel> {
  const dispute = await disputeOf(ask)
  const network = networkLabel(ask, dispute)
  const { db, now } = ask.core
  const replies = await repliesOf(db, dispute.merchant_id, [dispute])
  const reason = takesReplies(ask.dashboard.paying, dispute.connector)
    ? whyNotAnswerable(dispute, replies, now())
    : `Answer this dispute at ${network}: it takes no answers from Florin`
  return { dispute, network, reason }
}

type Sending = {
  readonly kind: 'evidence' | 'acceptance'
  readonly evidence: Evidence
  readonly notice: NoticeName
  /** The form again; `isNew`: it may be sent again. */
  readonly draw: (mistakes: Mistakes, isNew: boolean) => Promise<Content>
}

async function send(ask: MemberAsk, { kind, evidence, notice, draw }: Sending): Promise<Answer> {
  const { dispute, network } = await modelOf(ask)
  const sent = { ...go(`${ask.place.home}/disputes/${dispute.id}`), notice }
  const work = async (): Promise<Answer> => {
    const reply = { id: idIn(ask.fields, 'rpl'), kind, evidence }
    const key = { merchantId: dispute.merchant_id, id: dispute.id }
    const by = byPerson(ask.own.person.id, ask.visitor)
    const end = await answerDispute(ask.dashboard.paying, key, reply, by)
    if (end.kind === 'sent') return sent
    return show(await draw({ form: describeEnd(end, network) }, true), end.kind === 'refused' ? 400 : 503)
  }
  return orMadeBefore(async () => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'validation_failed') throw error
      return show(await draw({ form: error.message }, false), 400)
    }
  }, sent)
}

function describeEnd(end: Exclude<ReplyEnd, { kind: 'sent' }>, network: string): string {
  if (end.kind === 'refused') return `${network} refused it: ${end.why}`
  if (end.kind === 'not_sent') return `${network} didn’t answer, and doesn’t have your answer. Send it again`
  return `${network} didn’t answer, so we don’t know yet whether your answer arrived. Florin asks it; the dispute’s page shows the result in a few minutes. Keep this page open: if it didn’t arrive, send it again from here`
}

async function sendEvidence(ask: MemberAsk): Promise<Answer> {
  const { evidence, mistakes } = readEvidence(ask.fields, ask.files)
  const draw = async (problems: Mistakes, isNew: boolean): Promise<Content> => {
    const model = await modelOf(ask)
    const typed = isNew ? new Map([...ask.fields].filter(([name]) => name !== 'id')) : ask.fields
    // What was typed must not be lost, whatever happened to the dispute in the meantime.
    return answerPage(ask, { ...model, reason: undefined }, typed, problems)
  }
  if (Object.keys(mistakes).length > 0) return show(await draw(mistakes, false), 400)
  return send(ask, { kind: 'evidence', evidence, notice: 'evidence_sent', draw })
}

async function accept(ask: MemberAsk): Promise<Answer> {
  return send(ask, {
    kind: 'acceptance',
    evidence: { texts: {}, files: [] },
    notice: 'dispute_accepted',
    draw: async (mistakes) => acceptPage(ask, await modelOf(ask), mistakes),
  })
}

const right = 'payments.refund'
const fresh = { isFresh: true }

export const answerRoutes: readonly Route[] = [
  forMember('GET', '/disputes/:dispute/answer', right, async (ask) =>
    show(answerPage(ask, await modelOf(ask))),
  ),
  forMember('POST', '/disputes/:dispute/answer', right, sendEvidence, { takesFiles: bodyBytesMax }),
  forMember(
    'GET',
    '/disputes/:dispute/accept',
    right,
    async (ask) => show(acceptPage(ask, await modelOf(ask))),
    fresh,
  ),
  forMember('POST', '/disputes/:dispute/accept', right, accept, fresh),
]
