import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { takeLargeBody } from './routes.ts'

test('four large files are taken at once, a fifth waits until one of them is over', () => {
  const take = (): { readonly raw: EventEmitter; readonly error: Error | undefined } => {
    const raw = new EventEmitter()
    let refused: Error | undefined
    takeLargeBody({} as never, { raw } as never, (error) => (refused = error))
    return { raw, error: refused }
  }
  const [first, ...others] = [take(), take(), take(), take()]
  assert.deepEqual(
    [first, ...others].map((one) => one?.error),
    [undefined, undefined, undefined, undefined],
  )
  assert.match(take().error?.message ?? '', /Other files are being uploaded/)
  first?.raw.emit('close')
  const next = take()
  assert.equal(next.error, undefined)
  assert.ok(take().error)
  for (const { raw } of [...others, next]) raw.emit('close')
})
