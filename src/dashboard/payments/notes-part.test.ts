import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formsIn, now, pageAsk, wordsOf, type AskChanges } from '../../../test/support/dashboard/page-ask.ts'
import { formatCount } from './format-count.ts'
import { notesOf } from './notes-part.ts'

const path = '/dashboard/12345678/test/payments/42'
const note = { id: 'note_1', author: 'psn_ada', text: 'Called her', created_at: now.toISOString() }
const names = new Map([['psn_ada', 'Ada Lovelace']])

function part(notes: readonly object[], ask: AskChanges = {}, mistakes = {}, typedNote?: string) {
  const model = { payment: { number: '42' }, notes, names, typedNote }
  return notesOf(pageAsk(ask), model as never, mistakes)
}

for (const [what, notes, ask, forms] of [
  ['one’s own note', [note], {}, ['Delete', 'Add note']],
  ['a colleague’s note', [{ ...note, author: 'psn_bob' }], {}, ['Add note']],
  ['no note', [], {}, ['Add note']],
  ['a note, for a viewer', [note], { role: 'viewer' }, []],
] as const)
  test(`with ${what}, a person can ${forms.join(' and ') || 'only read'}`, () => {
    const drawn = part(notes, ask)
    assert.ok(drawn)
    assert.deepEqual(Object.keys(formsIn(drawn)), forms)
    assert.equal(wordsOf(drawn).includes('Called her'), notes.length > 0)
    assert.equal(drawn.text.includes('<ul>'), notes.length > 0)
  })

test('a person who may not write notes sees no empty section', () => {
  assert.equal(part([], { role: 'viewer' }), undefined)
})

test('a note names its author, also one who has left', () => {
  assert.match(wordsOf(part([note])), /Ada Lovelace just now/)
  assert.match(wordsOf(part([{ ...note, author: 'psn_gone' }])), /Someone who has left/)
})

test('a note that is refused stays in the field with its mistake', () => {
  const drawn = part([], {}, { note: 'Too long' }, 'What I typed')
  assert.match(drawn?.text ?? '', /aria-describedby="note-hint note-error"\s+aria-invalid="true"/)
  assert.match(drawn?.text ?? '', />What I typed<\/textarea>/)
  assert.match(drawn?.text ?? '', /id="note-error">Too long</)
  assert.doesNotMatch(part([])?.text ?? '', /note-error|aria-invalid/)
  assert.equal(formsIn(part([]) ?? ({} as never))['Add note'], `${path}/do/note`)
})

for (const [count, isExact, words] of [
  [12_345, true, '12,345'],
  [10_000, false, 'more than 10,000'],
  [10_001, false, 'about 10,000'],
  [12_499, false, 'about 12,000'],
  [12_500, false, 'about 13,000'],
  [1_234_567, false, 'about 1,200,000'],
] as const)
  test(`${isExact ? 'exactly' : 'about'} ${count} is written as ${words}`, () => {
    assert.equal(formatCount({ count, isExact }), words)
  })
