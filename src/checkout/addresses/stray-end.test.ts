import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutStrayEnd } from './stray-end.ts'

const links = [`/payment/${'1234567890123456'.repeat(2)}`, '/link/12345678aBcDeFgH01234567']

test('what a link took with it from its surroundings is left off, and its query stays', () => {
  const ends = ['/', '.', ')', '>', '%3E', ').', '>,', '%E2%80%9D', '%20', "'", '/.', '%29%2E']
  for (const [link, end] of links.flatMap((one) => ends.map((odd) => [one, odd] as const))) {
    assert.equal(withoutStrayEnd(link + end), link, end)
    assert.equal(withoutStrayEnd(`${link}${end}?lang=de`), `${link}?lang=de`, end)
  }
})

test('a link in order and a link to nothing are left as they are', () => {
  const odd = (link: string): string[] => [
    link,
    `${link}?lang=de`,
    `${link}/qr.svg`,
    `${link}1`,
    `${link}x`,
    `${link}.pdf`,
    link.slice(0, -1),
    `${link.slice(0, -1)}.`,
    `${link}%E0%A4%A`,
    `${link.slice(0, link.lastIndexOf('/'))}/.`,
  ]
  for (const url of links.flatMap(odd)) assert.equal(withoutStrayEnd(url), undefined, url)
})
