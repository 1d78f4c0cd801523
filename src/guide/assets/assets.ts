import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readStylesheet } from '../../platform/http/page.ts'

// The style and the script of the guide. The script's address holds its hash, so that a browser may keep it for good.

export const styles = readStylesheet(new URL('./reference.css', import.meta.url))

const text = readFileSync(new URL('./reference.js', import.meta.url), 'utf8')

export const script = {
  text,
  path: `/docs/${createHash('sha256').update(text).digest('base64url').slice(0, 16)}.js`,
  integrity: `sha384-${createHash('sha384').update(text).digest('base64')}`,
}
