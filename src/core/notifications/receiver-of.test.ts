import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meantAmong, receiverOf, receiversMeant, withoutAddress, withoutAddresses } from './receiver-of.ts'

test('a callback_url is identified without its query, and a very long one by its beginning', () => {
  assert.equal(receiverOf('https://shop.example:8443/ipn?order=7#x'), 'https://shop.example:8443/ipn')
  assert.equal(receiverOf('https://shop.example'), 'https://shop.example/')
  assert.equal(receiverOf(null), '')
  assert.equal(receiverOf(`https://shop.example/${'a'.repeat(1_500)}`).length, 1_000)
  assert.equal(receiverOf(`https://${'a.'.repeat(127)}example/ipn`), '')
})

test('a URL means one receiver, and a bare host means all receivers there', () => {
  const paused = ['https://shop.example/a', 'https://shop.example/b?x=1', 'https://shop.example.org/a']
  assert.deepEqual(meantAmong(paused, 'https://shop.example'), paused.slice(0, 2))
  assert.deepEqual(meantAmong(paused, 'https://shop.example/a?order=7'), [paused[0]])
  assert.deepEqual(meantAmong(paused, 'https://shop.example/b?x=1'), [paused[1]])
  assert.throws(() => meantAmong(paused, 'https://shop.example/c'), /is not paused/)
  assert.deepEqual(receiversMeant('https://shop.example/a').names, ['https://shop.example/a'])
})

test('a paused host from before receivers had URLs is resumed by any of its URLs', () => {
  assert.deepEqual(meantAmong(['https://shop.example'], 'https://shop.example/ipn'), ['https://shop.example'])
})

test('a URL with an e-mail address in any spelling is shortened to its host', () => {
  for (const part of ['ada@example.com', 'ada%40example.com', '?to=ada%2540example.com'])
    assert.equal(withoutAddress(`https://shop.example:8443/${part}`), 'https://shop.example:8443/')
  assert.equal(withoutAddress('https://shop.example/ipn?x=%41'), 'https://shop.example/ipn?x=%41')
  assert.equal(withoutAddresses('For ada@example.com alone'), 'For … alone')
})
