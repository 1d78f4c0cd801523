import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutStrayEnd } from './stray-end.ts'

const links = [`/payment/${'1234567890123456'.repeat(2)}`, '/link/12345678aBcDeFgH01234567']

test('stray characters around a link are removed, and its query is kept', () => {
  const ends = ['/', '.', ')', '>', '%3E', ').', '>,', '%E2%80%9D', '%20', "'", '/.', '%29%2E']
  for (const [link, end] of links.flatMap((one) => ends.map((odd) => [one, odd] as const))) {
    assert.equal(withoutStrayEnd(link + end), link, end)
    assert.equal(withoutStrayEnd(`${link}${end}?lang=de`), `${link}?lang=de`, end)
  }
})

test('correct links and empty links are left unchanged', () => {
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
