import { createHmac, timingSafeEqual } from 'node:crypto'
import { fieldNames, type Typed } from './fields.ts'

// An unsaved draft in the URL of preview frames. It is signed with the session cookie, so no one can send a merchant a link
// that shows a made-up shop on our pages.

export function writeDraft(cookie: string, typed: Typed): string {
  const text = Buffer.from(JSON.stringify(typed)).toString('base64url')
  return `${text}.${signatureOf(cookie, text)}`
}

export function readDraft(cookie: string, draft: string): Typed | undefined {
  const [text = '', given = ''] = draft.split('.', 2)
  const right = Buffer.from(signatureOf(cookie, text))
  const signature = Buffer.from(given)
  if (right.length !== signature.length || !timingSafeEqual(right, signature)) return undefined
  const typed = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<Typed>
  // A draft from an older version of the form.
  return fieldNames.every((name) => typeof typed[name] === 'string') ? (typed as Typed) : undefined
}

function signatureOf(cookie: string, text: string): string {
  return createHmac('sha256', cookie).update(`draft ${text}`).digest('base64url')
}
