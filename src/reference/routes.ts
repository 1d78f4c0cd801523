import { readFileSync } from 'node:fs'
import type { FastifyRequest } from 'fastify'
import { jsonType } from '../http/envelope.ts'
import { html, type Html } from '../http/html.ts'
import { makeOpenApi, type Operation, type Webhook } from '../http/openapi/openapi.ts'
import { sendPage } from '../http/page.ts'
import { compressible, sendCompressed } from '../http/send-text.ts'
import type { Server } from '../http/server.ts'
import { script, styles } from './assets/assets.ts'
import { addressOf } from './book.ts'
import { groups, writeBook } from './pages/book.ts'
import { drawChapter, drawFrame } from './pages/frame.ts'
import { drawResults } from './pages/results.ts'
import { placeholder } from '../snippets/read-snippets.ts'
import { makeSearch } from './search.ts'

// The API for those who program against it: /openapi.json for programs, /docs for people.

export type Described = {
  readonly operations: readonly Operation[]
  readonly webhooks: readonly Webhook[]
  readonly baseUrl: string
}

const searchLengthMax = 100

export function addReference(server: Server, described: Described): void {
  const { operations, webhooks, baseUrl } = withRealAddresses(described)
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '')
  const version = readVersion()
  const document = JSON.stringify(makeOpenApi({ version, baseUrl, groups, operations, webhooks }))
  const chapters = writeBook({ operations, webhooks, baseUrl, prefix })
  const search = makeSearch(chapters)
  const head = html`<script
      type="module"
      src="${prefix}${script.path}"
      integrity="${script.integrity}"
    ></script>`
  const page = (title: string, body: Html) => ({ title: `${title} · Florin`, body, head, styles: [styles] })

  server.get('/openapi.json', (_, reply) =>
    sendCompressed(reply, {
      type: jsonType,
      body: document,
      headers: {
        ...compressible,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      },
    }),
  )
  for (const chapter of chapters) {
    const drawn = page(chapter.title, drawChapter(chapters, chapter, prefix))
    server.get(addressOf('', chapter), (_, reply) => sendPage(reply, 200, drawn))
  }
  server.get('/docs/search', (request: FastifyRequest<{ Querystring: { q?: unknown } }>, reply) => {
    const { q } = request.query
    const words = typeof q === 'string' ? q.slice(0, searchLengthMax) : ''
    const body = drawFrame(chapters, undefined, prefix, drawResults(search(words), words, prefix), words)
    return sendPage(reply, 200, page('Search', body))
  })
  server.get(script.path, (_, reply) =>
    sendCompressed(reply, {
      type: 'text/javascript; charset=utf-8',
      body: script.text,
      headers: { ...compressible, 'cache-control': 'public, max-age=31536000, immutable' },
    }),
  )
  server.get('/', (_, reply) => reply.redirect(`${prefix}/docs`, 302))
}

/** Examples name a Florin somewhere; readers see their own. */
function withRealAddresses(described: Described): Described {
  return JSON.parse(JSON.stringify(described).replaceAll(placeholder, described.baseUrl)) as Described
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
