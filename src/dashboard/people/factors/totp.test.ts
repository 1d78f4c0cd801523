import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, codeAt, drawTotpSecret, readBase32, stepAt, stepOfCode, totpAddress } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test('codes match RFC 6238', () => {
  const expected = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const
  for (const [seconds, code] of expected) assert.equal(codeAt(secret, stepAt(new Date(seconds * 1000))), code)
})

test('a code one step early or late counts, one further away doesn’t', () => {
  const now = new Date('2026-11-15T12:00:10Z')
  const step = stepAt(now)
  for (const near of [-1n, 0n, 1n])
    assert.equal(stepOfCode(secret, codeAt(secret, step + near), now), step + near)
  for (const far of [-2n, 2n]) assert.equal(stepOfCode(secret, codeAt(secret, step + far), now), undefined)
  const code = codeAt(secret, step)
  assert.equal(stepOfCode(secret, `${code.slice(0, 3)} ${code.slice(3)}`, now), step)
  for (const odd of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
    assert.equal(stepOfCode(secret, odd, now), undefined)
})

test('a secret is read back from what a person types', () => {
  assert.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const drawn = drawTotpSecret()
  assert.deepEqual(readBase32(base32(drawn)), drawn)
  assert.equal(readBase32('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1'), undefined)
})

test('the otpauth URL names the account', () => {
  assert.equal(
    totpAddress(secret, 'Florin', 'ada@example.com'),
    'otpauth://totp/Florin:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Florin',
  )
})
