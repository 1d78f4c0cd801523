import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { makeBareServer } from '../../../test/support/bare-server.ts'
import { html } from './html.ts'
import { baseStyles, makeStyleFile, makeStylesheet, sendPage, type Page } from './page.ts'
import { pagePolicy } from './security.ts'

test('a page has its language and direction, with its own styles named by hash', async (t) => {
  const { server } = makeBareServer(t)
  const sheet = makeStylesheet('p{color:red}')
  const pages: readonly Page[] = [
    { title: 'Tom & Jerry', body: html`<p>Hello</p>` },
    {
      title: 'دفع',
      body: html`<p>شكرا</p>`,
      head: html`<meta name="x">`,
      language: 'ar',
      direction: 'rtl',
      styles: [sheet],
    },
  ]
  server.get('/:at', async (request, reply) => {
    const at = Number((request.params as { at: string }).at)
    return sendPage(
      reply,
      200 + at,
      pages[at] as Page,
      { formAction: ['https://a.example'] },
      { 'x-more': 'y' },
    )
  })
  const answers = [await server.inject('/0'), await server.inject('/1')]
  const policies = [[baseStyles.source], [baseStyles.source, sheet.source]]
  for (const [at, answer] of answers.entries()) {
    assert.equal(answer.statusCode, 200 + at)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(answer.headers['vary'], 'accept-encoding, accept-language')
    assert.equal(answer.headers['x-more'], 'y')
    assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length)
    assert.equal(
      answer.headers['content-security-policy'],
      pagePolicy({ styles: policies[at] as string[], formAction: ['https://a.example'] }),
    )
    assert.doesNotMatch(answer.body, /[^\0-\x7f]/)
  }
  const [english = '', arabic = ''] = answers.map(({ body }) => body)
  assert.match(english, /^<!doctype html>\n<html lang="en" dir="ltr">/)
  assert.match(english, /<title>Tom &amp; Jerry<\/title>[^]*<body>\n<p>Hello<\/p>\n<\/body>/)
  assert.match(arabic, /^<!doctype html>\n<html lang="ar" dir="rtl">/)
  assert.match(arabic, /<style>p\{color:red\}<\/style><meta name="x">\n<\/head>/)
})

test('a page with a stylesheet file links it and adds only the shop’s colours', async (t) => {
  const { server } = makeBareServer(t)
  const accent = makeStylesheet(':root{--accent:red}')
  const page: Page = { title: 'x', body: html`y`, styleFile: '/florin/a.css', styles: [accent] }
  server.get('/', async (_, reply) => sendPage(reply, 200, page))
  const { body, headers } = await server.inject('/')
  assert.match(body, /<link rel="stylesheet" href="\/florin\/a\.css">\n<style>:root\{--accent:red\}<\/style>/)
  assert.equal(body.match(/<style>/g)?.length, 1)
  assert.equal(headers['content-security-policy'], pagePolicy({ styles: [accent.source] }))
})

test('a stylesheet’s file name changes with every rule in it', () => {
  const base = makeStyleFile('/x', [])
  const more = makeStyleFile('/x', [new URL('./base.css', import.meta.url)])
  assert.match(base.path, /^\/x\/[\w-]{16}\.css$/)
  assert.notEqual(base.path, more.path)
  assert.equal(more.text, base.text + base.text)
})

test('the policy’s hash matches exactly the text between the tags', () => {
  const [, text = ''] = /^<style>([^]*)<\/style>$/.exec(baseStyles.element.text) ?? []
  assert.equal(baseStyles.source, `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  assert.doesNotMatch(text, /\/\*|\s\s|^\s|\s$/, 'no comments and no indentation are sent')
})

test('a style with characters no page could hold is refused when created', () => {
  assert.throws(
    () => makeStylesheet('p::before{content:"…"}', 'a.css'),
    /must be ASCII, as pages are: a\.css/,
  )
})
