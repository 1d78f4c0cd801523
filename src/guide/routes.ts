import type { FastifyRequest } from 'fastify'
import { jsonType } from '../platform/http/envelope.ts'
import { html, type Html } from '../platform/http/html.ts'
import { makeOpenApi, type Operation, type Webhook } from '../platform/http/openapi/openapi.ts'
import { sendPage, type Page } from '../platform/http/page.ts'
import { compressible, sendCompressed, sendText } from '../platform/http/send-text.ts'
import type { Server } from '../platform/http/server.ts'
import { releaseVersion } from '../platform/settings/version.ts'
import { script, styles } from './assets/assets.ts'
import { addressOf, type Guide } from './book.ts'
import { drawChapter, drawFrame } from './pages/frame.ts'
import { drawResults } from './pages/results.ts'
import { placeholder } from './snippets/read-snippets.ts'
import { makeBruno } from './collections/bruno.ts'
import { makePostman } from './collections/postman.ts'
import { collectionPaths } from './collections/paths.ts'
import { makeSearch } from './search.ts'

// The API for those who program against it: /openapi.json for programs, /docs for people.

export type Described = {
  readonly operations: readonly Operation[]
  readonly webhooks: readonly Webhook[]
  readonly baseUrl: string
  readonly guide: Guide
}

const searchLengthMax = 100

export function addReference(server: Server, described: Described): void {
  const prefix = new URL(described.baseUrl).pathname.replace(/\/+$/, '')
  // Written for the first reader: it took every start of a server 0.1 s, and most servers have no reader.
  let written: Reference | undefined
  const reference = (): Reference => (written ??= writeReference(described, prefix))

  server.get('/openapi.json', (_, reply) =>
    sendCompressed(reply, {
      type: jsonType,
      body: reference().document,
      headers: {
        ...compressible,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      },
    }),
  )
  server.get(collectionPaths.postman, (_, reply) =>
    sendCompressed(reply, {
      type: jsonType,
      body: reference().postman(),
      headers: { ...compressible, ...asFile(collectionPaths.postman) },
    }),
  )
  server.get(collectionPaths.bruno, (_, reply) =>
    sendText(reply, {
      type: 'application/zip',
      body: reference().bruno(),
      headers: asFile(collectionPaths.bruno),
    }),
  )
  for (const name of Object.keys(described.guide.chapters)) {
    server.get(addressOf('', { name }), (_, reply) => sendPage(reply, 200, reference().chapterPage(name)))
  }
  server.get('/docs/search', (request: FastifyRequest<{ Querystring: { q?: unknown } }>, reply) => {
    const { q } = request.query
    const words = typeof q === 'string' ? q.slice(0, searchLengthMax) : ''
    return sendPage(reply, 200, reference().searchPage(words))
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

function asFile(path: string): Record<string, string> {
  return { 'content-disposition': `attachment; filename="${path.split('/').at(-1)}"` }
}

type Reference = {
  readonly document: string
  readonly postman: () => string
  readonly bruno: () => Buffer
  readonly chapterPage: (name: string) => Page
  readonly searchPage: (words: string) => Page
}

function writeReference(given: Described, prefix: string): Reference {
  const { operations, webhooks, baseUrl } = withRealAddresses(given)
  const { groups } = given.guide
  const source = { operations, webhooks, baseUrl, prefix }
  const chapters = Object.entries(given.guide.chapters).map(([name, write]) => ({ name, ...write(source) }))
  const search = makeSearch(chapters)
  const head = html`<script
      type="module"
      src="${prefix}${script.path}"
      integrity="${script.integrity}"
    ></script>`
  const page = (title: string, body: Html): Page => ({
    title: `${title} · Florin`,
    body,
    head,
    styles: [styles],
  })
  const pages = new Map(
    chapters.map((chapter) => [chapter.name, page(chapter.title, drawChapter(chapters, chapter, prefix))]),
  )
  let postman: string | undefined
  let bruno: Buffer | undefined
  const described = { version: releaseVersion(), baseUrl, groups, operations }
  return {
    document: JSON.stringify(makeOpenApi({ ...described, webhooks })),
    postman: () => (postman ??= JSON.stringify(makePostman(described))),
    bruno: () => (bruno ??= makeBruno(described)),
    chapterPage(name) {
      const drawn = pages.get(name)
      if (!drawn) throw new Error(`The guide has no chapter ${name}`)
      return drawn
    },
    searchPage: (words) =>
      page(
        'Search',
        drawFrame(chapters, undefined, prefix, drawResults(search(words), words, prefix), words),
      ),
  }
}

/** Examples name a Florin somewhere; readers see their own. */
function withRealAddresses({ operations, webhooks, baseUrl }: Described): Omit<Described, 'guide'> {
  return JSON.parse(
    JSON.stringify({ operations, webhooks, baseUrl }).replaceAll(placeholder, baseUrl),
  ) as Omit<Described, 'guide'>
}
