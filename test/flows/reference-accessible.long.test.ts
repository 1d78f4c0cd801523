import { test } from 'node:test'
import { openGuide } from '../support/guide-in-browser.ts'

// Every chapter of the guide; reference-in-browser.long.test.ts looks at one.

const guide = openGuide()
const chapters = [
  '',
  '/payments',
  '/refunds',
  '/disputes',
  '/form',
  '/notifications',
  '/testing',
  '/errors',
  '/projects',
  '/moving',
  '/live',
  '/search?q=key',
]

for (const chapter of chapters) {
  test(`axe finds nothing in /docs${chapter}, light or dark, and it fits the smallest phone`, async () =>
    guide.inspect(chapter))
}
