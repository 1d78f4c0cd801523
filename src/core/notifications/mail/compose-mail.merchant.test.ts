import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainBrand } from '../../merchants/brand/brand.ts'
import { composeMail, type MailFacts } from './compose-mail.ts'

// E-mails to merchants and to people, each as a whole: every one of them asks somebody to do something.

const context = { merchantName: 'Corner shop', isTest: false, at: '2026-11-15T14:05:00.000000Z' }

/** With its lines joined, as they are broken by length alone. */
function read(facts: MailFacts, isTest = false): string {
  const { subject, text } = composeMail(facts, { ...context, isTest })
  const parts = text.trimEnd().split('\n\n')
  return [subject, ...parts.map((part) => (part.includes('  ') ? part : part.replaceAll('\n', ' ')))].join(
    '\n',
  )
}

const aboutTests = 'This is about test mode. No money is involved.'
const footer = 'You get this e-mail because you take payments as Corner shop.'

test('the e-mail about a paused receiver says since when, and how to resume it', () => {
  const facts = {
    template: 'receiver_paused',
    origin: 'https://shop.example:8443',
    failingSince: '2026-11-10T14:05:00.000000Z',
  } as const
  const email = (mode: string): string[] => [
    'Notifications are paused',
    'Hello,',
    'Every notification to https://shop.example:8443 has failed since 10 November 2026, 14:05 UTC, for 120 hours, so Florin has stopped sending. Nothing is lost: notifications to this URL wait.',
    `When it works again, resume it with POST /api/notifications/resume, or with: florin notifications resume --origin https://shop.example:8443 --mode ${mode}`,
    `Receiver       https://shop.example:8443\nMode           ${mode}\nFailing since  10 November 2026, 14:05 UTC`,
    footer,
  ]
  const subject = 'Notifications to shop.example:8443 are paused'
  assert.equal(read(facts), [subject, ...email('live')].join('\n'))
  assert.equal(read(facts, true), [subject, aboutTests, ...email('test')].join('\n'))
})

test('the e-mail about an exposed key names it, and how to revoke it', () => {
  const facts = { template: 'key_exposed', hint: 'sk_live_…abcd', keyId: 'key_1' } as const
  const email = [
    'One of your live secret keys is public',
    'Hello,',
    'A web form sent your secret key sk_live_…abcd. Anyone who opens that page can read the key, and can create and look up payments in your name. The payment went through.',
    'Use a form key on the page instead (florin key create --kind form --mode live --hosts YOUR-HOST), then end this key: florin key roll key_1 --overlap 0',
    'Key   sk_live_…abcd\nSeen  15 November 2026, 14:05 UTC',
    footer,
  ]
  const subject = 'One of your live secret keys is public'
  assert.equal(read(facts), [subject, ...email].join('\n'))
  assert.equal(read(facts, true), [subject, aboutTests, ...email].join('\n'))
})

test('the e-mail about card testing gives the number of cards and what to check', () => {
  const facts = { template: 'card_testing', declines: 31 } as const
  const text = read(facts)
  assert.match(text, /^Someone is testing cards on your checkout\nSomeone is testing cards/)
  assert.match(text, /\n31 cards were declined within ten minutes and few payments went through/)
  assert.match(
    text,
    /\nDeclined within ten minutes {2}31\nMode {25}live\nNoticed {22}15 November 2026, 14:05 UTC\n/,
  )
  assert.match(read(facts, true), /\nThis is about test mode\. No money is involved\.\n[^]*\nMode {25}test\n/)
})

test('a person is greeted by name if known, and finds the e-mail’s link', () => {
  const facts = {
    template: 'person',
    subject: 'Sign in',
    heading: 'Your link',
    isGood: true,
    name: 'Ada',
    paragraphs: ['Here it is.'],
    rows: [['Until', '15:05']],
    link: { label: 'Sign in', sealed: 'abc' },
  } as const
  const openLink = (sealed: string): string => `https://pay.example.com/in/${sealed}`
  const { text, html } = composeMail(facts, { ...context, merchantName: 'Florin', openLink })
  assert.equal(
    text,
    [
      'Your link',
      'Hello Ada,',
      'Here it is.',
      'Until  15:05',
      'Sign in:\nhttps://pay.example.com/in/abc',
      'Florin never asks for your password by e-mail.\n',
    ].join('\n\n'),
  )
  assert.match(html, /<h1 class="good"/)
  const { link: _, ...plain } = facts
  const bad = composeMail({ ...plain, name: '', isGood: false }, { ...context, isTest: true })
  assert.match(bad.text, /^Your link\n\nHello,\n\nHere it is\.\n\nUntil {2}15:05\n\nFlorin never asks/)
  assert.match(bad.html, /<h1 class="bad"/)
})

test('an e-mail to a merchant has the times of the shop', () => {
  const brand = { ...plainBrand, timeZone: 'Asia/Tokyo' }
  const facts = { template: 'key_exposed', hint: 'sk_live_…abcd', keyId: 'key_1' } as const
  assert.match(composeMail(facts, { ...context, brand }).text, /Seen {2}15 November 2026, 23:05 UTC\+9/)
})
