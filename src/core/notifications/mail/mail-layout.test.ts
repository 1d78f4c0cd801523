import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawText, type Email } from './mail-layout.ts'

const email: Email = {
  language: 'en',
  subject: 'Receipt',
  from: 'Corner shop',
  heading: 'Paid',
  tone: 'good',
  amount: '£5.00',
  greeting: 'Hello Ada,',
  paragraphs: [],
  rows: [['Reference', 'FL1']],
  footer: 'That is all.',
  test: undefined,
}

test('plain-text lines have at most 72 characters, and a longer word gets its own line', () => {
  const words = (length: number): string => 'x'.repeat(length)
  const paragraph = [words(36), words(35), words(36), words(36), words(80), 'end'].join(' ')
  const [, , , text] = drawText({ ...email, paragraphs: ['First.', paragraph] }).split('\n\n')
  assert.deepEqual(text?.split('\n'), [`${words(36)} ${words(35)}`, words(36), words(36), words(80), 'end'])
})
