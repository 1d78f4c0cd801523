import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTill, type Till } from '../../../../test/support/till.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { makeMarks } from './marks.ts'
import { isSolved, makeProofs, pauseMs, type Proofs } from './proof.ts'

let till: Till
let proofs: Proofs
let nowMs = Date.now()
before(async () => {
  till = await openTill()
  proofs = makeProofs(makeMarks(till.db, testSecrets), () => new Date(nowMs))
})
after(() => till.close())

const digits = '1'.repeat(32)

function solve(token: string): string {
  const [, , bits, signature = ''] = token.split('.')
  for (let nonce = 0; ; nonce += 1) if (isSolved(signature, String(nonce), Number(bits))) return String(nonce)
}

test('a nonce whose hash starts with enough zeros is a proof for its payment and attempt', async () => {
  const { token } = await proofs.give(digits, 3, 10)
  const nonce = solve(token)
  assert.deepEqual(await proofs.check(digits, token, nonce), { kind: 'proven', attempt: 3 })
  assert.deepEqual(await proofs.check('2'.repeat(32), token, nonce), { kind: 'unknown' })
  const early = { kind: 'too_early', until: new Date(nowMs + pauseMs) }
  for (const wrong of ['', '-1', '1e3', ' 5', '9'.repeat(10)]) {
    assert.deepEqual(await proofs.check(digits, token, wrong), early)
  }
})

test('the difficulty is the number of leading zero bits, and a nonce is digits only', () => {
  const hexOf = (nonce: string): string => createHash('sha256').update(`signature:${nonce}`).digest('hex')
  for (const [bits, zeros] of [
    [4, '0'],
    [8, '00'],
  ] as const)
    for (let nonce = 0; nonce < 1_000; nonce += 1) {
      const isProof = hexOf(String(nonce)).startsWith(zeros)
      assert.equal(isSolved('signature', String(nonce), bits), isProof, `${nonce} for ${bits} bits`)
      assert.ok(!isSolved('signature', `${nonce}x`, bits))
    }
})

test('the difficulty, the attempt and the page’s age can’t be forged', async () => {
  const { token } = await proofs.give(digits, 1, 16)
  const [attempt, at, bits, signature] = token.split('.')
  const older = (nowMs - 60_000).toString(36)
  for (const forged of [
    `2.${at}.${bits}.${signature}`,
    `${attempt}.${older}.${bits}.${signature}`,
    `${attempt}.${at}.0.${signature}`,
    `${attempt}.${at}.${bits}.${'A'.repeat(22)}`,
    `${token}x`,
    '',
    '....',
  ]) {
    assert.deepEqual(await proofs.check(digits, forged, '0'), { kind: 'unknown' }, forged)
  }
})

test('an old enough page is a proof by itself, for half an hour', async () => {
  const { token } = await proofs.give(digits, 1, 20)
  nowMs += pauseMs - 1
  assert.equal((await proofs.check(digits, token, '')).kind, 'too_early')
  nowMs += 1
  assert.deepEqual(await proofs.check(digits, token, ''), { kind: 'proven', attempt: 1 })
  nowMs += 30 * 60_000 - pauseMs
  assert.equal((await proofs.check(digits, token, '')).kind, 'proven')
  nowMs += 1
  assert.equal((await proofs.check(digits, token, '')).kind, 'unknown')
})
