import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isOutdated, isPassword } from './hash-password.ts'

const password = 'seven wet herons argue'

test('only the right password matches its hash', async () => {
  const hash = await hashPassword(password)
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await isPassword(password, hash), true)
  assert.equal(await isPassword(`${password} `, hash), false)
  assert.notEqual(await hashPassword(password), hash)
})

test('the same letters from another keyboard are the same password', async () => {
  assert.equal(await isPassword('cafe\u0301 am Fluss', await hashPassword('café am Fluss')), true)
})

test('a hash of the reference program is read', async () => {
  // echo -n password | argon2 somesalt -id -t 2 -k 256 -p 1 -l 32 -e
  const theirs = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  assert.equal(await isPassword('password', theirs), true)
  assert.equal(await isPassword('Password', theirs), false)
})

test('without a hash every password is wrong', async () => {
  assert.equal(await isPassword(password, null), false)
  assert.equal(await isPassword(password, undefined), false)
})

test('a hash with weaker parameters still works, and is marked outdated', async () => {
  // The reference program: echo -n "password" | argon2 somesalt -id -t 1 -m 10 -p 1 -l 32
  const weak = '$argon2id$v=19$m=1024,t=1,p=1$c29tZXNhbHQ$'
  assert.equal(isOutdated(`${weak}${'A'.repeat(43)}`), true)
  assert.equal(isOutdated(await hashPassword(password)), false)
  assert.equal(isOutdated('nonsense'), true)
})

test('more hashes than threads wait their turn, and too many are refused', async () => {
  const hash = await hashPassword(password)
  const all = await Promise.allSettled(Array.from({ length: 80 }, async () => isPassword(password, hash)))
  const done = all.filter((one) => one.status === 'fulfilled')
  assert.ok(done.length >= 60 && done.length < 80, String(done.length))
  assert.ok(done.every((one) => one.value))
  assert.equal(await isPassword(password, hash), true)
})
