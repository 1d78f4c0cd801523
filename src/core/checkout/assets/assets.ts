import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { makeStyleFile, type StyleFile } from '../../../platform/http/page.ts'
import { cardMarkRules } from '../pages/card/card-marks.ts'

// The one style and the one script of the checkout. Their addresses hold their hash, so that a browser may keep
// them for good and never uses an old one with a new page.

/** `more`: of modules' own pages and parts. */
export function makeCheckoutStyles(more: readonly URL[]): StyleFile {
  const own = ['./checkout.css', '../parts/shop/shop.css'].map((file) => new URL(file, import.meta.url))
  return makeStyleFile('/checkout', [...own, ...more], cardMarkRules)
}

// Several source files, one download. The first one prepares a framed page for the others.
const text = ['../embed/embedded.js', 'proof.js', 'card-fields.js', 'in-flight.js', 'typed.js', 'checkout.js']
  .map((file) => withoutComments(readFileSync(new URL(file, import.meta.url), 'utf8')))
  .join('')

/**
 * Comments and indentation are two fifths of the download. Our comments have their own lines, or are types before a
 * bracket.
 */
function withoutComments(source: string): string {
  return source
    .replace(/\/\*\*?[^*]*\*\/ ?/g, '')
    .replace(/^ *\/\/.*\n/gm, '')
    .replace(/^ +/gm, '')
    .replace(/\n+/g, '\n') // No test: extra blank lines change nothing
}

export const script = {
  text,
  path: `/checkout/${createHash('sha256').update(text).digest('base64url').slice(0, 16)}.js`,
  integrity: `sha384-${createHash('sha384').update(text).digest('base64')}`,
}
