import { html, type Html } from '../../../../platform/http/html.ts'
import { isolate } from '../../../../platform/input/isolate.ts'
import { isFresh, sentence, type PageModel } from '../../page-model.ts'

/** Where the receipt was mailed to, as far as its owner needs it: the link may be in other hands. Nothing when no mail goes out. */
export function mailNote(model: PageModel): Html | false {
  const { payment } = model.view
  if (payment.state !== 'success' || !isFresh(model)) return false
  if (payment.mode === 'live' && model.sendsMail !== true) return false
  // A word joiner behind the dots: lines break there, and half an address is none.
  const address = isolate(maskedEmail(payment.email), model.language.direction).replace(
    '\u2026',
    '\u2026\u2060',
  )
  return html`<p class="quiet small">
    ${sentence(model, payment.mode === 'live' ? 'mailSent' : 'mailKept', { address })}
  </p>`
}

/** `a\u2026@example.com` */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return `${first}\u2026${email.slice(at)}`
}
