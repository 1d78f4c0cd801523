import type { Config } from '../../platform/settings/config.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { keyedApi, keyHelp, keyOption } from '../reach/secret-key.ts'
import { flag, readArguments, text, UsageMistake } from '../terminal/arguments.ts'
import { print, printLine } from '../terminal/print.ts'
import { create } from './customer.ts'
import { ways } from './ways.ts'

export const triggerHelp = `florin trigger EVENT [--amount 10.00] [--callback-url URL] [--json]

  Creates a real test payment at BASE_URL and completes it through the checkout
  page, as a customer would. EVENT is one of

    payment.success      pays with 4242 4242 4242 4242
    payment.failed       is declined ten times with 4000 0000 0000 0002
    payment.cancelled    presses cancel
    refund.success       pays, and gets all of it back
    payment.refunded     the same: it follows refund.success
    refund.failed        pays with 4000 0000 0000 5126, whose refund fails after
                         some seconds
    dispute.opened       pays with 4000 0000 0000 4400, which is then disputed;
                         answer in the dashboard within 30 days: a text with
                         winning_evidence wins, any other answer loses
    payment.reversed     the same: the bank takes the money
    dispute.won          pays with 4000 0000 0000 2685, and waits a minute for
                         the decision
    dispute.lost         the same with 4000 0000 0000 0259
    payout.arrived       pays, and the test network pays out all it holds; waits
                         two minutes until that arrives
    payout.failed        the same with 10.55, whose payout the bank refuses

  The notification is real too. payment.expired takes a day, or the merchant's
  own limit: send a sample with POST /api/notifications/test instead. Refunds
  need a key that is allowed to refund; disputes, failing refunds and payouts
  need a worker, which florin serve includes.

  ${keyHelp}`

export async function trigger(config: Config, args: string[]): Promise<void> {
  const options = {
    ...keyOption,
    'callback-url': { type: 'string' },
    amount: { type: 'string' },
  } as const
  const parsed = readArguments(args, { ...options, json: { type: 'boolean' } }, 1)
  const event = parsed.words[0]
  if (event === undefined)
    throw new UsageMistake(`Name an event: florin trigger ${Object.keys(ways).join(', ')}`)
  const way = Object.hasOwn(ways, event) ? ways[event] : undefined
  if (!way) throw new UsageMistake(`EVENT must be one of ${Object.keys(ways).join(', ')}, but is "${event}"`)
  const api = await keyedApi(config, parsed, { testOnly: true })
  const amount = text(parsed, 'amount')
  if (way.amount !== undefined && amount !== undefined)
    throw new UsageMistake(`--amount must be left out: only ${way.amount} ends with ${event}`)
  const payment = await create(api, 'trigger', {
    amount: way.amount ?? amount ?? '10.00',
    callbackUrl: text(parsed, 'callback-url'),
  })
  if (way.patience !== undefined) printLine(way.patience)
  const { status, isThere } = await way.bring(api, payment)
  if (!isThere) throw new Refusal('unavailable', `It ended with status ${status}, not ${event}`)
  if (flag(parsed, 'json')) return print(JSON.stringify({ event, tx_ref: payment.txRef, status }))
  print(`${event}  ${payment.txRef}  ${payment.page}`)
}
