import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MadeBefore } from '../platform/errors/made-before.ts'
import { idIn, orMadeBefore } from './once.ts'

const good = 'key_0123456789abcDEF'

test('a form’s id is accepted only in its own kind and shape', () => {
  assert.equal(idIn(new Map([['id', good]]), 'key'), good)
  for (const odd of [
    '',
    'lnk_0123456789abcDEF',
    `${good}0`,
    good.slice(0, -1),
    'key_0123456789abcDE!',
    ` ${good}`,
  ]) {
    const drawn = idIn(new Map([['id', odd]]), 'key')
    assert.match(drawn, /^key_[0-9A-Za-z]{16}$/)
    assert.notEqual(drawn, odd)
  }
  assert.notEqual(idIn(new Map(), 'key'), idIn(new Map(), 'key'))
})

test('a repeated create returns the first result, and every other error is passed on', async () => {
  const [first, second] = [{ kind: 'go', to: '/first' } as const, { kind: 'go', to: '/second' } as const]
  assert.equal(await orMadeBefore(async () => first, second), first)
  assert.equal(await orMadeBefore(async () => Promise.reject(new MadeBefore()), second), second)
  await assert.rejects(
    orMadeBefore(async () => Promise.reject(new Error('away')), second),
    /away/,
  )
})
