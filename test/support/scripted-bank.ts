import type { HostedConnector } from '../../src/connectors/hosted.ts'
import { makeLog } from '../../src/http/log.ts'
import { findAttempt, type AttemptKey, type AttemptRow } from '../../src/payments/attempts/attempt-store.ts'
import type { Word } from '../../src/payments/attempts/network-word.ts'
import type { Paying } from '../../src/payments/attempts/paying.ts'
import { attemptRow, insertRows, paymentRow, type Values } from './rows.ts'
import { secondMs, type Till } from './till.ts'

// A network with a page of its own that says what it is told to say. What it was asked is written down, and so is what
// would have been done about its word: a test compares both as a whole.

type Verbs = Pick<HostedConnector, 'open' | 'fetch' | 'withdraw' | 'refund' | 'fetchRefund'>
type Verb = keyof Verbs

type Answer<One extends Verb> = Awaited<ReturnType<Verbs[One]>>

/** What each verb is answered with, always or one after the other; where there is nothing (more), no answer comes. */
export type Answers = {
  readonly [One in Verb]?: Answer<One> | readonly (Answer<One> | undefined)[]
}

export type Desk = {
  readonly paying: Paying
  /** The verbs in their order. */
  readonly asked: Verb[]
  /** What each verb was called with, without the signal. */
  readonly told: Values[][]
  readonly applied: [AttemptKey, Word][]
  /** Level and sentence of each line of the log. */
  log(): [string, string][]
}

export function openDesk(till: Till, answers: Answers, more: Partial<Paying> = {}): Desk {
  const lines: string[] = []
  const asked: Verb[] = []
  const told: Values[][] = []
  const applied: [AttemptKey, Word][] = []
  const say = (verb: Verb) => {
    let times = 0
    return async (...call: unknown[]) => {
      asked.push(verb)
      told.push(call.slice(0, -1) as Values[])
      const said: unknown = answers[verb]
      const answer: unknown = Array.isArray(said) ? said[times++] : said
      if (!answer) throw new Error('connection reset')
      return answer
    }
  }
  const bank = {
    open: say('open'),
    fetch: say('fetch'),
    withdraw: say('withdraw'),
    refund: say('refund'),
    fetchRefund: say('fetchRefund'),
  } as Verbs
  const log = makeLog('info', { write: (line) => void lines.push(line) })
  const paying: Paying = {
    ...till.withBank(bank, { log }),
    async applyOutcome(key, word) {
      applied.push([key, word])
      const attempt = await findAttempt(till.db, key)
      if (!attempt) throw new Error('There is no such attempt')
      return attempt
    },
    ...more,
  }
  return {
    paying,
    asked,
    told,
    applied,
    log: () =>
      lines.map((line) => {
        const { level, msg } = JSON.parse(line) as { level: string; msg: string }
        return [level, msg]
      }),
  }
}

/** An attempt on the bank's page, half a minute old; `changes` of its row and of the payment's. */
export async function attemptOnPage(
  till: Till,
  changes: Values = {},
  ofPayment: Values = {},
): Promise<AttemptRow> {
  const number = String(++numbers).padStart(24, '0')
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
  return readAttempt(till, { ...names, attempt: 1 })
}

export async function readAttempt(
  till: Till,
  { merchant_id, number, attempt }: Pick<AttemptRow, 'merchant_id' | 'number' | 'attempt'>,
): Promise<AttemptRow> {
  const found = await findAttempt(till.db, { merchantId: merchant_id, number, attempt })
  if (!found) throw new Error('There is no such attempt')
  return found
}

let numbers = 0
