import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordMistake } from './check-password.ts'

const about = ['ada.lovelace@engines.example', 'Ada Lovelace', 'Corner shop']

test('common passwords are refused, in every disguise', () => {
  const predictable = [
    'password123',
    'P@ssw0rd2026!',
    'Welcome1234',
    'qwertyuiop',
    'qwerty123456',
    '1qaz2wsx3edc',
    '1234567890',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'abababababab1',
    'liverpool1892',
    'Sunshine!!!!',
    'iloveyou2026',
    'letmeinletmein',
    'florin2026!!',
    'monkeydragon1',
    'Summer-2026!',
    'wert-sdfg-12',
    '2026-11-15 12:00',
    'zyxwvutsrqpo',
    'correcthorsebatterystaple',
  ]
  for (const password of predictable)
    assert.match(passwordMistake(password, [], 'ordinary') ?? 'taken', /too easy to guess/, password)
})

test('passwords made from the person’s own details are refused', () => {
  for (const password of [
    'AdaLovelace1815',
    'lovelace-1815!',
    'engines2026!!',
    'C0rnerShop!1',
    'ada.lovelace!!',
  ])
    assert.match(passwordMistake(password, about, 'ordinary') ?? 'taken', /your name/, password)
})

test('length is counted in characters, and its limits are reported', () => {
  assert.equal(passwordMistake('kB7#xQ2!z', [], 'ordinary'), 'Use at least 10 characters')
  assert.equal(passwordMistake('x7Kq'.repeat(60), [], 'ordinary'), 'Use at most 200 characters')
  assert.equal(passwordMistake('🦊🐝🌵🚲🎻🧭🪁🥁🛶🧵', [], 'ordinary'), undefined)
})

test('sentences and random characters are accepted', () => {
  const good = [
    'vqzTn7#kLw',
    'seven wet herons argue',
    'mein Fahrrad quietscht wieder',
    'violet harbour teapot',
    'monkey-dragonsummer',
    'Xk29-mmPQ-0071',
    'парусник у маяка',
  ]
  for (const password of good) assert.equal(passwordMistake(password, about, 'ordinary'), undefined, password)
})

test('a password that opens live payments by itself has twelve characters, with letters and digits', () => {
  const taken = (password: string): boolean => passwordMistake(password, [], 'live') === undefined
  assert.deepEqual(
    ['vqzTn7#kLwp', 'vqzTn7#kLwpX', 'seven wet herons argue', '8203#5519!6647', 'парусник у 7 маяков'].map(
      taken,
    ),
    [false, true, false, false, true],
  )
})
