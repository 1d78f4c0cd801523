import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePageModel } from '../../../../../test/support/page-model.ts'
import { Refusal } from '../../../../platform/errors/refusals.ts'
import { receiptPaper } from '../receipt-pdf.ts'
import { makeReceiptFiles, waitingMax, type Receipt } from './receipt-files.ts'

const paper = receiptPaper(makePageModel())

function receiptOf(title: string): Receipt {
  return { paper: { ...paper, title }, logo: undefined }
}

/** A thread that draws when it is told to; files are as long as asked. */
function open({ bytes = 10, bytesMax }: { bytes?: number; bytesMax?: number } = {}) {
  const drawn: string[] = []
  const waiting: (() => void)[] = []
  let isHeld = false
  const thread = {
    draw: async ({ title }: { title: string }): Promise<Buffer> => {
      drawn.push(title)
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
      return Buffer.alloc(bytes, title)
    },
    close: async () => {},
  }
  const clock = { nowMs: 0 }
  return {
    files: makeReceiptFiles(() => clock.nowMs, thread, bytesMax),
    drawn,
    clock,
    hold: () => void (isHeld = true),
    release: () => {
      isHeld = false
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

/** The seconds to wait. */
async function refusedFor(asked: Promise<unknown>): Promise<string | undefined> {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined) return undefined
  assert.ok(error instanceof Refusal && error.status === 429)
  return error.headers?.['retry-after']
}

test('a receipt is drawn once for pages and e-mail, and again when its content changes', async () => {
  const { files, drawn } = open()
  const both = await Promise.all([files.forPage('a', receiptOf('one')), files.inTurn(receiptOf('one'))])
  assert.deepEqual(both[0], both[1])
  await files.forPage('b', receiptOf('one'))
  assert.deepEqual(drawn, ['one'])
  await files.forPage('b', receiptOf('one, refunded'))
  const logo = { name: 'new logo', read: async () => undefined }
  await files.forPage('b', { ...receiptOf('one'), logo })
  assert.deepEqual(drawn, ['one', 'one, refunded', 'one'])
})

test('the least recently used files are evicted when memory is full', async () => {
  const { files, drawn } = open({ bytes: 10, bytesMax: 25 })
  for (const title of ['a', 'b', 'a', 'c', 'a', 'b']) await files.inTurn(receiptOf(title))
  assert.deepEqual(drawn, ['a', 'b', 'c', 'b'])
  const small = open({ bytes: 10, bytesMax: 5 })
  assert.equal((await small.files.inTurn(receiptOf('a'))).length, 10)
})

test('an address gets twenty drawings at once, then one a second; cached files are free', async () => {
  const { files, drawn, clock } = open()
  for (let at = 0; at < 20; at += 1) await files.forPage('office', receiptOf(`r${at}`))
  assert.equal(await refusedFor(files.forPage('office', receiptOf('r20'))), '1')
  for (let at = 0; at < 20; at += 1) await files.forPage('office', receiptOf(`r${at}`))
  assert.equal(await refusedFor(files.forPage('elsewhere', receiptOf('r21'))), undefined)
  assert.equal(await refusedFor(files.inTurn(receiptOf('r22'))), undefined)
  clock.nowMs += 1_000
  assert.equal(await refusedFor(files.forPage('office', receiptOf('r20'))), undefined)
  assert.equal(drawn.length, 23)
})

test('when many drawings wait, further pages are refused while e-mails queue', async () => {
  const { files, hold, release } = open()
  hold()
  const asked = Array.from({ length: waitingMax }, async (_, at) =>
    files.forPage(`${at}`, receiptOf(`r${at}`)),
  )
  assert.equal(await refusedFor(files.forPage('late', receiptOf('late'))), '3')
  const mail = files.inTurn(receiptOf('mail'))
  const same = files.forPage('late', receiptOf('r0'))
  release()
  assert.equal((await Promise.all([...asked, mail, same])).length, waitingMax + 2)
  assert.equal(await refusedFor(files.forPage('late', receiptOf('late'))), undefined)
})
