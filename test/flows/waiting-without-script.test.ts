import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newLink, putInState } from '../support/customer.ts'
import { openHouse, type House } from '../support/house.ts'

// The waiting page where no script asks: it loads itself again, says so, can be stopped, and stops by itself (WCAG 2.2.1).

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

type Look = { readonly seconds: number; readonly next: string } | undefined

async function look(path: string): Promise<{ text: string; again: Look }> {
  // The address it looks at leads here while nothing is known, and to the shop once it was paid.
  const text = await (await fetch(house.url + path)).text()
  const found = /http-equiv="refresh" content="(\d+);url=([^"]*)"/.exec(text)
  const again = found && { seconds: Number(found[1]), next: (found[2] ?? '').replaceAll('&amp;', '&') }
  return { text, again: again ?? undefined }
}

async function waiting(): Promise<string> {
  const link = await newLink(house)
  await putInState(house, link, 'pending', { state: 'unknown' })
  return new URL(link.url).pathname
}

test('the page refreshes soon at first, then rarely, stops after some minutes, and keeps the language', async () => {
  let path = `${await waiting()}?lang=de`
  const pauses: number[] = []
  let seen = await look(path)
  for (; seen.again; seen = await look(path)) {
    assert.match(seen.text, /Diese Seite l&#228;dt sich einige Minuten lang/)
    pauses.push(seen.again.seconds)
    path = seen.again.next
    assert.ok(pauses.length < 100, 'it never ends')
  }
  // Five minutes, less the moment that each page takes.
  assert.deepEqual(pauses, [5, 5, 5, ...Array.from({ length: 14 }, () => 20)])
  assert.match(seen.text, /Diese Seite l&#228;dt sich nicht mehr neu/)
  assert.match(seen.text, />Jetzt pr&#252;fen</)
})

test('a link stops the refreshing for good, and checking by hand restarts it', async () => {
  const path = await waiting()
  const { text } = await look(path)
  const stop = /<a href="([^"]*looks=off)">Stop refreshing</.exec(text)?.[1] ?? ''
  const stopped = await look(stop)
  assert.equal(stopped.again, undefined)
  assert.match(stopped.text, /This page no longer refreshes/)
  const check = /href="([^"]*)">Check now</.exec(stopped.text)?.[1] ?? ''
  assert.ok((await look(check)).again)
})

test('a URL with an invalid count starts from the beginning', async () => {
  const path = await waiting()
  for (const looks of ['-1', '1e9', 'NaN', '99999', '', '0&looks=5'])
    assert.equal((await look(`${path}?looks=${looks}`)).again?.seconds, 5, looks)
})

test('held money isn’t checked every few seconds', async () => {
  const link = await newLink(house)
  await putInState(house, link, 'pending', { state: 'held' })
  assert.equal((await look(new URL(link.url).pathname)).again, undefined)
})
