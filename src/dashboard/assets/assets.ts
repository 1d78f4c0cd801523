import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readStylesheet } from '../../http/page.ts'

// The one style and the one script of the dashboard. The script's address holds its hash, so that a browser may keep it.

export const styles = readStylesheet(new URL('./dashboard.css', import.meta.url))

const text = readFileSync(new URL('./dashboard.js', import.meta.url), 'utf8')

export const script = {
  text,
  path: `/dashboard/${createHash('sha256').update(text).digest('base64url').slice(0, 16)}.js`,
  integrity: `sha384-${createHash('sha384').update(text).digest('base64')}`,
}
