import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { Database } from '../../platform/database/database.ts'
import { isSameToken, makeSign, makeTokens } from './token.ts'

test('a token is valid for one payment and mode, on every server', async (t) => {
  const home = await createTestDatabase()
  const db = new Database(home.url)
  t.after(async () => {
    await db.close()
    await home.drop()
  })
  const tokenOf = makeTokens(makeSign(db, testSecrets))
  const [one, other] = ['1'.repeat(32), `${'1'.repeat(31)}2`] as const
  const tokens = await Promise.all([
    tokenOf(one, 'test'),
    // Were it the same, a test card could be sent to a live payment.
    tokenOf(one, 'live'),
    tokenOf(other, 'test'),
    tokenOf(other, 'live'),
  ])
  assert.equal(new Set(tokens).size, 4)
  assert.equal(await makeTokens(makeSign(db, testSecrets))(one, 'test'), tokens[0])
})

test('tokens match only if every character does', () => {
  assert.equal(isSameToken('abc', 'abc'), true)
  for (const given of ['', 'ab', 'abcd', 'abd', 'ABC']) assert.equal(isSameToken('abc', given), false, given)
})
