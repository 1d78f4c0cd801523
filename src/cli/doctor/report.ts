import { print, printTable, strong, visible } from '../terminal/print.ts'
import type { Call, Findings } from './examine.ts'
import type { Unpaid } from './payment.ts'

export function printCalls({ calls }: Findings): void {
  for (const when of ['unpaid', 'paid'] as const) {
    const made = calls.filter((call) => call.when === when)
    if (made.length === 0) continue
    print('')
    print(strong(when === 'unpaid' ? 'While nobody has paid' : 'After the payment'))
    printTable(['CALL', 'ANSWER', 'ORDER'], made.map(rowOf))
  }
}

function rowOf({ name, status, answer, order }: Call): string[] {
  return [
    name,
    [status, answer].filter((part) => part !== null && part !== '').join(' '),
    order ?? 'not seen',
  ]
}

export function printVerdict(findings: Findings, payment: Unpaid): void {
  print('')
  for (const line of linesOf(findings, payment)) print(visible(line))
}

function linesOf({ unpaid, paid, completed_by: by, mistake, calls }: Findings, payment: Unpaid): string[] {
  const lines: string[] = []
  if (unpaid === 'completed') {
    lines.push(
      by === null
        ? 'UNSAFE: the shop completed an order that nobody paid, after one of the calls above.'
        : `UNSAFE: the shop completed an order that nobody paid, after this call: ${by}.`,
    )
    if (mistake !== null) lines.push(mistake)
    return [...lines, 'Not tried: whether it completes a paid order. Start again with a new order.']
  }
  const first = calls.find(({ when }) => when === 'paid')
  if (paid === 'completed') {
    lines.push(unpaid === 'open' ? 'Safe: no call completed the unpaid order.' : unknownUnpaid)
    lines.push(`Works: the shop completed the paid order after this call: ${by}.`)
    if (by !== first?.name)
      lines.push('But only then: if a customer who has paid closes the browser, their order stays open.')
    return lines
  }
  if (unpaid === 'open') lines.push(provesLittle)
  if (paid === 'unknown') return [...lines, unknown, ...(payment.isOrphan ? [orphan] : [])]
  if (payment.isOrphan) return [...lines, orphan]
  lines.push('BROKEN: the shop left a paid order open.')
  if (first?.refused) lines.push(refused)
  return lines
}

const unknownUnpaid = 'Not known: whether a call completed the unpaid order.'
const provesLittle = 'No call completed the unpaid order. But neither did the payment, so this proves little.'
const refused = 'It did not accept the notification: see its answer above.'
const orphan =
  'Doctor made this payment, so the shop may have no order for it. Place one in the shop and pass its --tx-ref.'
const unknown =
  'Not known: whether the shop completed an order, paid or unpaid. Give --order and --paid, or run doctor at a terminal.'
