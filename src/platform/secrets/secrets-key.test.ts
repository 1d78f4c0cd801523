import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawSecretsKey, readSecretsKey } from './secrets-key.ts'

test('a generated key is read back with spaces around it, without padding and in the URL alphabet', () => {
  const text = drawSecretsKey()
  const id = readSecretsKey(text)?.id
  assert.match(id ?? '', /^[0-9a-f]{16}$/)
  assert.equal(readSecretsKey(`  ${text}\n`)?.id, id)
  assert.equal(readSecretsKey(text.replace('=', ''))?.id, id)
  assert.equal(readSecretsKey(text.replaceAll('+', '-').replaceAll('/', '_'))?.id, id)
  assert.notEqual(readSecretsKey(drawSecretsKey())?.id, id)
})

test('only 32 bytes make a key', () => {
  for (const text of [
    '',
    'secret',
    drawSecretsKey().slice(4),
    `${drawSecretsKey()}AAAA`,
    'ä'.repeat(43),
    'f'.repeat(64),
  ])
    assert.equal(readSecretsKey(text), undefined, text)
})

test('a key’s id reveals nothing of it', () => {
  const text = drawSecretsKey()
  assert.ok(
    !Buffer.from(text, 'base64')
      .toString('hex')
      .includes(readSecretsKey(text)?.id ?? ''),
  )
})
