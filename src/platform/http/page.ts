import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { html, trusted, type Html } from './html.ts'
import { pagePolicy, type PagePolicy } from './security.ts'
import { compressible, sendCompressed, type Headers } from './send-text.ts'

// The shell of every page. Styles are inside the page, named by their hash in the content policy, or in a file whose
// name has its hash, which a browser caches for ever. Either way a foreign style or script can't run.

export type Stylesheet = { readonly element: Html; readonly source: string }

export const baseStyles = readStylesheet(new URL('./base.css', import.meta.url))

export function readStylesheet(file: URL): Stylesheet {
  return makeStylesheet(readRules(file), file.pathname)
}

function readRules(file: URL): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

export type StyleFile = { readonly text: string; readonly path: string }

/** The shared styles, those of these files and `more` rules, as one file below `folder`. */
export function makeStyleFile(
  folder: string,
  files: readonly URL[],
  more: readonly string[] = [],
): StyleFile {
  const text = [...[new URL('./base.css', import.meta.url), ...files].map(readRules), ...more].join('')
  return { text, path: `${folder}/${createHash('sha256').update(text).digest('base64url').slice(0, 16)}.css` }
}

/** For rules that this program wrote itself. Never for input. */
export function makeStylesheet(text: string, name = 'made'): Stylesheet {
  if (/[^\0-\x7f]/.test(text)) throw new Error(`A style must be ASCII, as pages are: ${name}`)
  return {
    // The hash in the policy is of exactly the text between the tags, so no space may be added.
    element: trusted(`<style>${text}</style>`),
    source: `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  }
}

export type Page = {
  readonly title: string
  readonly body: Html
  readonly head?: Html
  readonly language?: string
  readonly direction?: 'ltr' | 'rtl'
  readonly styles?: readonly Stylesheet[]
  /** The URL of the page's stylesheet; without one the shared styles are inside the page. */
  readonly styleFile?: string
}

export function sendPage(
  reply: FastifyReply,
  status: number,
  page: Page,
  policy: PagePolicy = {},
  headers: Headers = {},
): FastifyReply {
  const styles = [...(page.styleFile === undefined ? [baseStyles] : []), ...(page.styles ?? [])]
  return sendCompressed(reply, {
    status,
    type: 'text/html; charset=utf-8',
    body: drawPage(page, styles).text,
    // No test: saves counting: pages are ASCII, one byte per character
    isAscii: true,
    headers: {
      ...compressible,
      ...headers,
      'content-security-policy': pagePolicy({ ...policy, styles: styles.map((sheet) => sheet.source) }),
    },
  })
}

// A coin, in the page itself: nothing is fetched for it.
const coin =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#17603f"/><path d="M6.5 12.5v-9h5M6.5 8h4" fill="none" stroke="#fff" stroke-width="1.8"/></svg>',
  )
const icon = html`<link rel="icon" href="${coin}">`

function drawPage(page: Page, styles: readonly Stylesheet[]): Html {
  return html`<!doctype html>
<html lang="${page.language ?? 'en'}" dir="${page.direction ?? 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title}</title>
${icon}
${page.styleFile !== undefined && html`<link rel="stylesheet" href="${page.styleFile}">\n`}${styles.map((sheet) => sheet.element)}${page.head}
</head>
<body>
${page.body}
</body>
</html>
`
}
