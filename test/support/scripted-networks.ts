import type { FormConnector } from '../../src/core/networks/connector.ts'
import type { HostedConnector } from '../../src/core/networks/hosted.ts'
import { makeLog } from '../../src/platform/http/log.ts'
import {
  findAttempt,
  type AttemptKey,
  type AttemptRow,
} from '../../src/core/payments/attempts/attempt-store.ts'
import type { NetworkOutcome } from '../../src/core/payments/attempts/network-word.ts'
import type { Paying } from '../../src/core/payments/attempts/paying.ts'
import { attemptRow, insertRows, paymentNumber, paymentRow, type Values } from './rows.ts'
import { secondMs, type Till } from './till.ts'

// Networks that say what they are told to say. What they were asked is written down, and so is what would have been done
// about their word: a test compares both as a whole.

type HostedVerbs = Pick<HostedConnector, 'open' | 'fetch' | 'withdraw' | 'refund' | 'fetchRefund'> &
  Required<Pick<HostedConnector, 'capture'>>
type FormVerbs = Pick<FormConnector, 'charge' | 'continueAfterChallenge' | 'fetchStatus' | 'withdraw'>

type Said<Verb> = Verb extends (...call: never[]) => Promise<infer Answer> ? Answer : never

/** What each verb is answered with, always or one after the other; where there is nothing (more), no answer comes. */
type Scripts<Verbs> = {
  readonly [One in keyof Verbs]?: Said<Verbs[One]> | readonly (Said<Verbs[One]> | undefined)[]
}
export type Answers = Scripts<HostedVerbs>
export type CardAnswers = Scripts<FormVerbs>

export type Desk = {
  readonly paying: Paying
  /** The verbs in their order. */
  readonly asked: string[]
  /** What each verb was called with, without the signal. */
  readonly told: Values[][]
  readonly applied: [AttemptKey, NetworkOutcome][]
  /** Level and sentence of each line of the log. */
  readonly log: () => [string, string][]
}

/** A till whose network with a page of its own answers like this. Outcomes are written down and not applied. */
export function openDesk(till: Till, answers: Answers, more: Partial<Paying> = {}): Desk {
  // Most networks have no capture.
  const verbs = [
    'open',
    'fetch',
    'withdraw',
    'refund',
    'fetchRefund',
    ...('capture' in answers ? ['capture'] : []),
  ]
  return deskWith(till, verbs, answers, (bank) => till.withBank(bank), more)
}

/** The same for the network that takes cards on our own page. */
export function openCardDesk(till: Till, answers: CardAnswers, more: Partial<Paying> = {}): Desk {
  const verbs = ['charge', 'continueAfterChallenge', 'fetchStatus', 'withdraw'] as const
  return deskWith(till, verbs, answers, (network) => till.with(network), more)
}

function deskWith(
  till: Till,
  verbs: readonly string[],
  answers: Values,
  furnish: (network: Values) => Paying,
  more: Partial<Paying>,
): Desk {
  const lines: string[] = []
  const asked: string[] = []
  const told: Values[][] = []
  const applied: [AttemptKey, NetworkOutcome][] = []
  const say = (verb: string) => {
    let times = 0
    return async (...call: unknown[]): Promise<unknown> => {
      asked.push(verb)
      told.push(call.slice(0, -1) as Values[])
      const said = answers[verb]
      const answer: unknown = Array.isArray(said) ? said[times++] : said
      if (!answer) throw new Error('connection reset')
      return answer
    }
  }
  const paying: Paying = {
    ...furnish(Object.fromEntries(verbs.map((verb) => [verb, say(verb)]))),
    log: makeLog('info', { write: (line) => void lines.push(line) }),
    async applyOutcome(key, word) {
      applied.push([key, word])
      return found(await findAttempt(till.db, key))
    },
    ...more,
  }
  const log = (): [string, string][] =>
    lines.map((line) => {
      const { level, msg } = JSON.parse(line) as { level: string; msg: string }
      return [level, msg]
    })
  return { paying, asked, told, applied, log }
}

/** An attempt on the bank's page, half a minute old; `changes` of its row and of the payment's. */
export async function attemptOnPage(
  till: Till,
  changes: Values = {},
  ofPayment: Values = {},
): Promise<AttemptRow> {
  const number = paymentNumber(++numbers)
  const names = { merchant_id: till.merchantId, number }
  const startedAt = new Date(till.paying.now().getTime() - 30 * secondMs)
  await insertRows(till.db, 'payments', [paymentRow({ ...names, ...ofPayment })])
  const row = {
    ...names,
    connector: till.bank.name,
    account_id: 'acc_test-bank',
    state: 'action_required',
    connector_reference: 'tb_1',
    started_at: startedAt,
    updated_at: startedAt,
    ...changes,
  }
  await insertRows(till.db, 'attempts', [attemptRow(row)])
  const { attempt = 1 } = changes as { attempt?: number }
  return readAttempt(till, { ...names, attempt })
}

/** An attempt with a card that was typed on our own page. */
export async function attemptByCard(till: Till, changes: Values = {}, ofPayment: Values = {}) {
  const byCard = { connector: till.network.name, account_id: null, connector_reference: null }
  return attemptOnPage(till, { ...byCard, ...changes }, ofPayment)
}

export async function readAttempt(
  till: Till,
  { merchant_id, number, attempt }: Pick<AttemptRow, 'merchant_id' | 'number' | 'attempt'>,
): Promise<AttemptRow> {
  return found(await findAttempt(till.db, { merchantId: merchant_id, number, attempt }))
}

function found(attempt: AttemptRow | undefined): AttemptRow {
  if (!attempt) throw new Error('There is no such attempt')
  return attempt
}

let numbers = 0
