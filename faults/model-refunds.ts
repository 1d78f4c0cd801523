import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { FormConnector } from '../src/core/networks/connector.ts'
import type { Connector } from '../src/core/networks/hosted.ts'
import { Refusal } from '../src/platform/errors/refusals.ts'
import { makeLog } from '../src/platform/http/log.ts'
import { bySystem } from '../src/core/audit/audit.ts'
import { parseAmount } from '../src/platform/money/money.ts'
import type { Refunding } from '../src/modules/refunds/refunding.ts'
import { requestRefund } from '../src/modules/refunds/request-refund.ts'
import { refund, refundingOf } from '../test/support/refunds.ts'
import { keyOf, onOne, runJob, type Real } from './model-commands.ts'
import * as model from './model.ts'
import type { ModelPayment } from './model.ts'

// Money that goes back, to the model and to a real house at once.

export function paidMinor({ body }: ModelPayment): bigint {
  const { amount, currency } = JSON.parse(body) as { amount: string; currency: string }
  const read = parseAmount(amount, currency)
  assert.ok(read.ok)
  return read.minor
}

type RefundSize = 'all' | 'a part'
const partMinor = 500n

/** How much it will be, or undefined when it must be refused. */
function expected(payment: ModelPayment, asked: RefundSize): bigint | undefined {
  if (payment.state !== 'success') return undefined
  const left = paidMinor(payment) - model.reserved(payment)
  const amount = asked === 'all' ? left : partMinor
  return left > 0n && amount <= left ? amount : undefined
}

function refundNow(asked: RefundSize) {
  return onOne(`refund ${asked}`, async (payment, real, m) => {
    const amount = expected(payment, asked)
    const body = asked === 'all' ? {} : { amount: '5.00' }
    const house = { ...real.house, secretKey: real.key.text }
    const answer = await refund(house, payment, body)
    if (amount === undefined) return assert.equal(answer.status, 409, answer.text)
    assert.equal(answer.status, 201, answer.text)
    const isBehind = payment.openRefunds.length > 0
    const { status } = answer.json.data as { status: string }
    assert.equal(status, isBehind ? 'requested' : 'success')
    if (isBehind) payment.openRefunds.push({ amount, dueMs: m.nowMs, sentMs: undefined, isThere: false })
    else model.wentBack(payment, amount, paidMinor(payment))
  })
}

let drawn = 0

/** The network has it, or has not, and nobody hears of it. */
function refundAndLoseTheAnswer(asked: RefundSize, arrives: boolean) {
  const how = arrives ? 'after it arrived' : 'on its way'
  return onOne(`refund ${asked}, lost ${how}`, async (payment, real, m) => {
    const amount = expected(payment, asked)
    drawn += 1
    const refunding = refundingOf(real.house.app)
    const row = { merchant_id: keyOf(payment).merchantId, number: keyOf(payment).number }
    const whole = { ...row, mode: 'test', amount_minor: paidMinor(payment) } as const
    const request = {
      refundRef: `lost-${process.pid}-${drawn}`,
      amountMinor: asked === 'all' ? undefined : partMinor,
      reason: undefined,
    }
    const asking = requestRefund(losing(refunding, arrives), whole, request, bySystem)
    if (amount === undefined) return assert.rejects(asking, Refusal)
    assert.equal((await asking).refund.state, 'requested')
    const isBehind = payment.openRefunds.length > 0
    payment.openRefunds.push(
      isBehind
        ? { amount, dueMs: m.nowMs, sentMs: undefined, isThere: false }
        : { amount, dueMs: m.nowMs + 5_000, sentMs: m.nowMs, isThere: arrives },
    )
  })
}

/** The same networks, whose answers to a refund never come home. */
function losing(refunding: Refunding, arrives: boolean): Refunding {
  const lose = (connector: Connector): Connector => {
    if (connector.kind === 'form') {
      const refundLost: FormConnector['refund'] = async (order, signal) => {
        if (arrives) await connector.refund(order, signal)
        throw new Error('The connection broke')
      }
      return { ...connector, refund: refundLost }
    }
    return {
      ...connector,
      async refund(account, order, signal) {
        if (arrives) await connector.refund(account, order, signal)
        throw new Error('The connection broke')
      },
    }
  }
  const { paying } = refunding
  const log = makeLog('silent')
  return {
    ...refunding,
    log,
    paying: { ...paying, connectors: paying.connectors.map(lose), log },
  }
}

const work = fc.constant({
  check: () => true,
  async run(m: model.Model, real: Real) {
    for (const payment of m.payments) model.workOnRefunds(payment, m.nowMs, paidMinor(payment))
    await runJob(real, 'refunds')
  },
  toString: () => 'work on refunds',
})

export const refundCommands = [
  refundNow('all'),
  refundNow('a part'),
  refundNow('a part'),
  refundAndLoseTheAnswer('all', true),
  refundAndLoseTheAnswer('a part', true),
  refundAndLoseTheAnswer('a part', false),
  work,
]
