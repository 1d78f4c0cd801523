import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import { mailPage } from './mail-page.ts'
import { addressee, mailPill, mailsPage } from './mails-page.ts'

const home = '/dashboard/12345678/test'
const at = now.toISOString()
const mail = {
  id: 'msg_1',
  subject: 'Your receipt',
  to: 'ada@example.com',
  from: { name: 'Corner shop', address: 'mail@pay.example.com' },
  replyTo: undefined,
  event: 'payment.success',
  number: null,
  state: 'delivered',
  at,
  enclosed: undefined,
  text: 'Thank you',
}

const content = (changes: object = {}, ask: AskChanges = {}, attempts: readonly object[] = []) =>
  mailPage(pageAsk(ask), { ...mail, ...changes } as never, attempts as never)
const page = (...given: Parameters<typeof content>) => content(...given).body

for (const [what, ask, maySend] of [
  ['a live e-mail can be sent again by an owner', { mode: 'live' }, true],
  ['a live e-mail can’t be sent again by a viewer', { mode: 'live', role: 'viewer' }, false],
  ['a test e-mail can’t be sent again', {}, false],
] as const)
  test(what, () => {
    assert.equal('Send again' in formsIn(page({}, ask)), maySend)
  })

test('an e-mail is shown as it is drawn, or as text', () => {
  const marked = (text: string): string | undefined => /aria-current="page">([^<]*)</.exec(text)?.[1]
  const drawn = content()
  assert.match(drawn.body.text, /<iframe[^>]*src="[^"]*\/mailbox\/msg_1\/html"\s+sandbox/)
  assert.deepEqual([marked(drawn.body.text), drawn.hasFrame], ['HTML', true])
  const asText = content({}, { query: { as: 'text' } })
  assert.doesNotMatch(asText.body.text, /<iframe/)
  assert.match(wordsOf(asText.body), /Thank you/)
  assert.deepEqual([marked(asText.body.text), asText.hasFrame], ['Text', false])
})

test('facts that an e-mail doesn’t have are left out', () => {
  assert.deepEqual(factsIn(page()), {
    State: 'sent',
    To: 'ada@example.com',
    From: 'Corner shop <mail@pay.example.com>',
    About: 'payment.success',
    Created: '18 November 2026, 12:00 UTC',
  })
  const more = page({ replyTo: 'help@shop.example', number: '42', enclosed: 'receipt.pdf' })
  assert.equal(factsIn(more)['Reply to'], 'help@shop.example')
  assert.equal(factsIn(more)['Attachment'], 'receipt.pdf · Download')
  assert.equal(linksIn(more)['Open'], `${home}/payments/42`)
  assert.equal(linksIn(more)['receipt.pdf'], `${home}/mailbox/msg_1/attachment`)
})

test('attempts are listed newest first, with what the mail server answered', () => {
  assert.doesNotMatch(wordsOf(page()), /Attempts/)
  const attempts = [
    { at, status: 451, error: 'busy', answer: null },
    { at, status: null, error: 'no answer', answer: null },
    { at, status: 250, error: null, answer: '250 OK' },
  ]
  const drawn = page({}, {}, attempts)
  assert.match(
    wordsOf(drawn),
    /Attempt 3: accepted by the mail server just now 250 OK Attempt 2: no answer just now Attempt 1: busy just now 451/,
  )
  assert.deepEqual(
    [...drawn.text.matchAll(/<li class="(\w+)">/g)].map(([, tone]) => tone),
    ['good', 'bad', 'bad'],
  )
})

const list = (changes: object = {}, ask: AskChanges = {}) =>
  mailsPage(pageAsk(ask), {
    mails: [mail],
    nextCursor: undefined,
    address: '',
    isFirst: true,
    ...changes,
  } as never).body

for (const [what, changes, ask, words, links] of [
  ['nothing in it', { mails: [] }, {}, /No e-mail yet/, []],
  [
    'no match in test mode',
    { mails: [], address: 'a@b.c' },
    {},
    /No e-mail among the latest [\d,]+ e-mails in test mode was sent to it/,
    ['Clear', 'Show all'],
  ],
  [
    'no match in live mode',
    { mails: [], address: 'a@b.c' },
    { mode: 'live' },
    /No e-mail here was sent to it/,
    ['Clear', 'Show all'],
  ],
] as const)
  test(`a mailbox with ${what} says so`, () => {
    const drawn = list(changes, ask)
    assert.match(wordsOf(drawn), words)
    assert.deepEqual(Object.keys(linksIn(drawn)), links)
    assert.equal(drawn.text.includes('role="search"'), links.length > 0)
  })

for (const [ask, words] of [
  [{}, /doesn’t send e-mail in test mode/],
  [{ mode: 'live' }, /E-mail sent to your customers and to you/],
  [{ mode: 'live', dashboard: { hasMailServer: false } }, /No mail server is set up/],
] as const)
  test(`a mailbox of ${JSON.stringify(ask)} says what happens to its e-mail`, () => {
    assert.match(wordsOf(list({}, ask)), words)
  })

test('e-mails are listed, and pages keep the address', () => {
  assert.deepEqual(tableIn(list()).rows, [['Your receipt', 'ada@example.com', 'sent', 'just now']])
  assert.deepEqual(linksIn(list()), { 'Your receipt': `${home}/mailbox/msg_1` })
  const later = linksIn(list({ address: 'a@b.c', isFirst: false, nextCursor: 'c' }))
  assert.deepEqual(
    [later['Newest'], later['Older']],
    [`${home}/mailbox?address=a%40b.c`, `${home}/mailbox?address=a%40b.c&cursor=c`],
  )
})

test('an e-mail without an address was for the shop', () => {
  assert.equal(addressee({ to: '' }), 'You (no address set)')
  assert.equal(addressee({ to: 'a@b.c' }), 'a@b.c')
  assert.match(mailPill('paused').text, /pill warn[^]*waiting for a mail server/)
})
