import { html, type Html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'
import type { Words } from '../language.ts'
import type { Setting } from '../page-model.ts'
import { frame } from './frame.ts'
import { mark } from './marks.ts'

// Pages without a payment: nothing here, too many tries, something broke.

export type ErrorKind = 'notFound' | 'tooMany' | 'broken' | 'brokenPay' | 'strange'

const texts: Readonly<Record<ErrorKind, { title: keyof Words; body: keyof Words; drawing: Html }>> = {
  notFound: { title: 'notFoundTitle', body: 'notFoundBody', drawing: mark('question', 'calm') },
  tooMany: { title: 'tooManyTitle', body: 'tooManyBody', drawing: mark('clock', 'calm') },
  broken: { title: 'brokenTitle', body: 'brokenBody', drawing: mark('dash', 'calm') },
  brokenPay: { title: 'brokenTitle', body: 'brokenPay', drawing: mark('dash', 'warn') },
  strange: { title: 'strangeTitle', body: 'strangeBody', drawing: mark('dash', 'calm') },
}

export function errorPage(setting: Setting, kind: ErrorKind, payment?: string): Page {
  const { words } = setting.language
  const { title, body, drawing } = texts[kind]
  return frame(setting, {
    title: words[title],
    ...(payment !== undefined && { home: payment }),
    content: html`<section class="card sheet" aria-labelledby="error-heading">
      ${drawing}
      <h1 id="error-heading">${words[title]}</h1>
      <p>${words[body]}</p>
      ${payment !== undefined && html`<a class="go button" href="${payment}">${words.openPayment}</a>`}
      ${kind === 'broken' && sameAddress(words)}
    </section>`,
  })
}

/** An empty href loads the same address again. */
function sameAddress(words: Words): Html {
  return html`<a class="go button" href="">${words.tryAgain}</a>`
}
