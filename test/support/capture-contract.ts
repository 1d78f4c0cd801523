import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostedOrder } from '../../src/core/networks/hosted.ts'
import type { OpenPage, UnderHostedContract } from './hosted-contract.ts'
import { makeOrder, makePage, withReference } from './hosted-orders.ts'

// The part of the contract about networks at which approving is not yet paying, and how every page is paid on.

const never = new AbortController().signal

export function captureTests(under: () => UnderHostedContract): void {
  test('an approved order takes no money until it is captured, and then once', async (t) => {
    const { connector, account, timesCharged, pay: approve } = under()
    const capture = async (order: HostedOrder) => connector.capture?.(account, order, never)
    if (!connector.capture) return t.diagnostic('At this network approving is paying')
    const order = makeOrder(under())
    const opened = await openPage(under(), order)
    const known = withReference(order, opened)
    assert.notEqual((await capture(known))?.kind, 'charged', 'nobody has approved it')
    assert.equal(await approve(opened), true)
    assert.equal((await connector.fetch(account, known, never)).kind, 'approved')
    assert.equal(await timesCharged(order), 0)
    const taken = await Promise.all(Array.from({ length: 5 }, async () => capture(known)))
    const status = await connector.fetch(account, known, never)
    assert.equal(status.kind, 'charged')
    for (const one of [...taken, await capture(known)]) assert.deepEqual(one, status)
    assert.equal(await timesCharged(order), 1)
    return undefined
  })
}

export async function openPage(
  { connector, account }: UnderHostedContract,
  order: HostedOrder,
  page = makePage(),
): Promise<OpenPage> {
  const opened = await connector.open(account, order, page, never)
  if (opened.kind !== 'open') throw new Error(`The page was refused: ${opened.why}`)
  return opened
}

/** What payments does: where approving is not paying, the money is taken once the customer approved. */
export async function payFully(
  { connector, account, pay: approve }: UnderHostedContract,
  order: HostedOrder,
  opened: OpenPage,
): Promise<boolean> {
  const isDone = await approve(opened)
  if (isDone) await connector.capture?.(account, withReference(order, opened), never)
  return isDone
}
