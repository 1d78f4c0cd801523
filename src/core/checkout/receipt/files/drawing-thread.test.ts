import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { makePageModel } from '../../../../../test/support/page-model.ts'
import { makePng } from '../../../../../test/support/pictures.ts'
import { checkPicture } from '../../../merchants/pictures/check-picture.ts'
import { drawPaper } from '../draw-paper.ts'
import { receiptPaper } from '../receipt-pdf.ts'
import { makeDrawingThread, type DrawingThread } from './drawing-thread.ts'

const paper = receiptPaper(makePageModel())

function open(t: TestContext, program?: URL): DrawingThread {
  const thread = makeDrawingThread(program)
  t.after(async () => thread.close())
  return thread
}

/** A thread that runs this code for each task. */
function programOf(code: string): URL {
  const source = `import { parentPort } from 'node:worker_threads'\nparentPort.on('message', ({ paper }) => { ${code} })`
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`)
}

test('the thread draws the same file as a direct call, logo included', async (t) => {
  const checked = checkPicture(makePng(40, 20))
  assert.ok(checked.ok)
  const thread = open(t)
  const files = await Promise.all([thread.draw(paper, checked.picture), thread.draw(paper, undefined)])
  assert.deepEqual(files, [await drawPaper(paper, checked.picture), await drawPaper(paper)])
})

test('a receipt that can’t be drawn fails alone, with the cause', async (t) => {
  const thread = open(
    t,
    programOf(
      `parentPort.postMessage(paper.title === 'bad' ? { failure: 'no' } : { file: new Uint8Array([1]) })`,
    ),
  )
  const [bad, good] = await Promise.allSettled([
    thread.draw({ ...paper, title: 'bad' }, undefined),
    thread.draw(paper, undefined),
  ])
  assert.equal(bad.status === 'rejected' && String(bad.reason), 'Error: no')
  assert.deepEqual(good, { status: 'fulfilled', value: Buffer.from([1]) })
})

test('a crashed thread loses one receipt, and the next one starts a new thread', async (t) => {
  for (const crash of [`process.exit()`, `throw new Error('crash')`]) {
    const thread = open(
      t,
      programOf(
        `if (paper.title === 'bad') ${crash}; else parentPort.postMessage({ file: new Uint8Array([1]) })`,
      ),
    )
    const drawn = await Promise.allSettled([
      thread.draw({ ...paper, title: 'bad' }, undefined),
      thread.draw(paper, undefined),
    ])
    assert.deepEqual(
      drawn.map(({ status }) => status),
      ['rejected', 'fulfilled'],
      crash,
    )
  }
})

test('closing ends the thread and fails the waiting receipts', async (t) => {
  const thread = open(t, programOf(''))
  const waiting = [thread.draw(paper, undefined), thread.draw(paper, undefined)]
  const failed = Promise.all(waiting.map(async (drawn) => assert.rejects(drawn, /stopping/)))
  await thread.close()
  await failed
  await assert.rejects(thread.draw(paper, undefined), /stopping/)
})
