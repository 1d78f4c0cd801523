import type { Config } from '../../platform/settings/config.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { keyedApi, keyHelp, keyOption } from '../reach/secret-key.ts'
import {
  flag,
  readArguments,
  text,
  UsageMistake,
  webAddress,
  wholeNumber,
  type Parsed,
} from '../terminal/arguments.ts'
import { accent, print, printFacts, visible } from '../terminal/print.ts'
import { standard } from '../terminal/standard.ts'
import { examine, type Findings } from './examine.ts'
import { watchOrder, type OrderWatch } from './order.ts'
import { findPayment, makePayment, type Unpaid } from './payment.ts'
import { printCalls, printVerdict } from './report.ts'

export const doctorHelp = `florin doctor --plugin URL [--order URL --paid TEXT] [--tx-ref REF]
              [--amount 10.00] [--currency GBP] [--wait 3] [--json]

  Checks a shop's plugin with a test payment. URL is the callback that the
  plugin puts into callback_url. While the payment is unpaid, doctor calls URL
  as customers and strangers can: a customer who comes back, one who types
  status=success into the address, a form, a notification without a signature
  and one with a wrong signature. Then it pays on the test network, and Florin
  sends the real notification. It says after which call the shop completed the
  order, and ends with

    0    only the paid order was completed
    1    the shop completed an unpaid order, or left a paid one open
    69   doctor couldn't find out, or the shop didn't answer

  Only the shop knows whether an order is completed. Give --order and --paid,
  or doctor asks you at the terminal. Place an order in the shop with the test
  key, stop at Florin's page, and pass its tx_ref: a shop can only complete an
  order that it has. It really is completed in the end, with test money.

  --plugin     such as http://localhost:8080/wc-api/Paychangu_Success/
  --order      a page that shows the order's status, without signing in
  --paid       text that this page shows only if the order is paid
  --tx-ref     a payment that waits, made by the shop; doctor creates one if it
               isn't there. Default: one that only doctor knows
  --amount, --currency
               of a payment that doctor creates
  --wait       seconds that the shop has after the calls, if it works in the
               background (3)

  ${keyHelp}`

const waitSecondsMax = 600

export async function doctor(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, {
    ...keyOption,
    plugin: { type: 'string' },
    order: { type: 'string' },
    paid: { type: 'string' },
    'tx-ref': { type: 'string' },
    amount: { type: 'string' },
    currency: { type: 'string' },
    wait: { type: 'string' },
    json: { type: 'boolean' },
  })
  const plugin = webAddress(parsed, 'plugin', 'https://shop.example.com/callback').href
  const order = watchOf(parsed)
  const waitMs = waitOf(parsed) * 1_000
  const api = await keyedApi(config, parsed, { testOnly: true })
  const asked = {
    amount: text(parsed, 'amount') ?? '10.00',
    currency: text(parsed, 'currency'),
    txRef: text(parsed, 'tx-ref'),
    callbackUrl: plugin,
  }
  const payment = (await findPayment(api, asked.txRef)) ?? (await makePayment(api, asked))
  if (!flag(parsed, 'json')) printFacts(factsOf(config, plugin, payment))
  if (await order.isPaid())
    throw new Refusal('unavailable', `${order.name} already shows this order as paid: take a new order`)
  const findings = await examine({ api, plugin, payment, order, waitMs })
  if (flag(parsed, 'json')) print(JSON.stringify({ tx_ref: payment.txRef, ...findings }))
  else {
    printCalls(findings)
    printVerdict(findings, payment)
  }
  standard().exitCode = exitCodeOf(findings, payment)
}

function watchOf(parsed: Parsed): OrderWatch {
  const paid = text(parsed, 'paid')
  if (text(parsed, 'order') === undefined && paid === undefined) return watchOrder(undefined)
  if (paid === undefined || paid === '')
    throw new UsageMistake('--order needs --paid: the text that the page shows only if the order is paid')
  return watchOrder({ url: webAddress(parsed, 'order', 'https://shop.example.com/order/42').href, paid })
}

function waitOf(parsed: Parsed): number {
  const seconds = wholeNumber(parsed, 'wait') ?? 3
  if (seconds > waitSecondsMax)
    throw new UsageMistake(`--wait must be 0 to ${waitSecondsMax} seconds, but is "${seconds}"`)
  return seconds
}

function factsOf(config: Config, plugin: string, payment: Unpaid): Record<string, string> {
  return {
    Payment: `${accent(visible(payment.txRef))}, ${payment.currency} ${payment.amount}, unpaid, at ${config.BASE_URL}`,
    Key: payment.isFamily
      ? 'dialect family: a look-up says success only if the payment is paid'
      : 'without a dialect: a look-up says success even if the payment is unpaid, see data.status',
    Plugin: visible(plugin),
  }
}

function exitCodeOf({ unpaid, paid }: Findings, { isOrphan }: Unpaid): number {
  if (unpaid === 'completed' || (paid === 'open' && !isOrphan)) return 1
  return unpaid === 'open' && paid === 'completed' ? 0 : 69
}
