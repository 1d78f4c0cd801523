import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Api } from '../reach/call-api.ts'
import { cards, payWith } from '../trigger/ways.ts'
import { readAnswer, type Answered } from './answered.ts'
import { comeBackPaid, unpaidCalls } from './call-shop.ts'
import type { OrderWatch } from './order.ts'
import { waitForNotification, type Unpaid } from './payment.ts'

/** What was sent, what came back, and what the order showed then; null: nobody looked. */
export type Call = Answered & {
  readonly when: 'unpaid' | 'paid'
  readonly name: string
  readonly order: 'open' | 'completed' | null
}

export type Findings = {
  readonly unpaid: 'open' | 'completed' | 'unknown'
  readonly paid: 'open' | 'completed' | 'unknown' | 'not_tried'
  /** The call after which the order was completed, where that is known. */
  readonly completed_by: string | null
  readonly mistake: string | null
  readonly calls: readonly Call[]
}

export type Patient = {
  readonly api: Api
  readonly plugin: string
  readonly payment: Unpaid
  readonly order: OrderWatch
  readonly waitMs: number
}

export async function examine(patient: Patient): Promise<Findings> {
  const before = await tryUnpaid(patient)
  // An order that is completed shows no difference when it is paid.
  if (before.unpaid === 'completed') return { ...before, paid: 'not_tried' }
  const after = await tryPaid(patient)
  return { ...before, ...after, calls: [...before.calls, ...after.calls] }
}

type Before = Omit<Findings, 'paid'>

async function tryUnpaid({ plugin, payment, order, waitMs }: Patient): Promise<Before> {
  const calls: Call[] = []
  for (const { name, mistake, send } of unpaidCalls(plugin, payment)) {
    const answered = await readAnswer(send)
    if (calls.length === 0 && answered.status === null)
      throw new Refusal('unavailable', `The plugin at ${plugin} gave ${answered.answer}`)
    const seen = order.isPage ? stateOf(await order.isPaid()) : null
    calls.push({ when: 'unpaid', name, ...answered, order: seen })
    if (seen === 'completed') return { unpaid: 'completed', completed_by: name, mistake, calls }
  }
  await pause(waitMs)
  const isPaid = await order.isPaid(
    `Nobody has paid ${payment.txRef}, and doctor has called the shop. Does the shop show the order as paid?`,
  )
  return { unpaid: stateOf(isPaid) ?? 'unknown', completed_by: null, mistake: null, calls }
}

type After = Pick<Findings, 'paid' | 'completed_by' | 'calls'>

async function tryPaid(patient: Patient): Promise<After> {
  const { api, plugin, payment } = patient
  const { isThere, status } = await payWith(api, payment, cards.good)
  if (!isThere) throw new Refusal('unavailable', `The test payment ended as ${status}, not as success`)
  const notified = await waitForNotification(api, plugin, payment)
  const byNotification = await look(patient, {
    name: 'Florin notifies the shop',
    told: 'Florin has notified the shop.',
    ...notified,
  })
  if (byNotification.order === 'completed' || !payment.isFamily) return afterOf([byNotification])
  const returned = await readAnswer(async () => comeBackPaid(plugin, payment))
  return afterOf([
    byNotification,
    await look(patient, {
      name: 'the customer comes back',
      told: 'The customer has come back.',
      ...returned,
    }),
  ])
}

type Step = Answered & { readonly name: string; readonly told: string }

async function look({ payment, order, waitMs }: Patient, { told, ...call }: Step): Promise<Call> {
  const isPaidAtOnce = order.isPage && (await order.isPaid())
  if (isPaidAtOnce !== true) await pause(waitMs)
  const question = `${payment.txRef} is paid now. ${told} Does the shop show the order as paid?`
  return { when: 'paid', ...call, order: stateOf(isPaidAtOnce || (await order.isPaid(question))) }
}

function afterOf(calls: readonly Call[]): After {
  const last = calls.at(-1)
  return {
    paid: last?.order ?? 'unknown',
    completed_by: last?.order === 'completed' ? last.name : null,
    calls,
  }
}

function stateOf(isPaid: boolean | undefined): 'open' | 'completed' | null {
  if (isPaid === undefined) return null
  return isPaid ? 'completed' : 'open'
}
