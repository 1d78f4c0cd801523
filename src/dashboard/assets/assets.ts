import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readStylesheet } from '../../platform/http/page.ts'

// The styles and the script of every dashboard page. The script's URL contains its hash, so browsers can cache it.

export const styles = ['./dashboard.css', './lists.css'].map((file) =>
  readStylesheet(new URL(file, import.meta.url)),
)

const text = ['./sign-in.js', './dashboard.js']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')

export const script = {
  text,
  path: `/dashboard/${createHash('sha256').update(text).digest('base64url').slice(0, 16)}.js`,
  integrity: `sha384-${createHash('sha384').update(text).digest('base64')}`,
}
