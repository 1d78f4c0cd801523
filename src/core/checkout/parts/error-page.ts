import { html, type Html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
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

export type WaysOn = {
  /** The payment's own page. */
  readonly home: string
  /** After a payment that may have gone through: where it says so when it did not, and where to ask. */
  readonly interrupted?: { readonly home: string; readonly state: string }
}

export function errorPage(setting: Setting, kind: ErrorKind, ways?: WaysOn): Page {
  const { words } = setting.language
  const { title, body, drawing } = texts[kind]
  return frame(setting, {
    title: words[title],
    ...(ways && { home: ways.home }),
    content: html`<section class="card sheet" aria-labelledby="error-heading" ${asks(ways)}>
      ${drawing}
      <h1 id="error-heading">${words[title]}</h1>
      <p>${words[body]}</p>
      ${ways?.interrupted && html`<p class="quiet" data-checks hidden>${words.waitingChecks}</p>`}
      ${ways && html`<a class="go button" href="${ways.interrupted?.home ?? ways.home}">${words.openPayment}</a>`}
      ${kind === 'broken' && sameAddress(words)}
    </section>`,
  })
}

/** For the script, which asks until it is known and then leads there. */
function asks(ways: WaysOn | undefined): Html | undefined {
  if (!ways?.interrupted) return undefined
  const { state, home } = ways.interrupted
  return html`data-lost="${state}" data-home="${ways.home}" data-unpaid="${home}"`
}

/** An empty href loads the same address again. */
function sameAddress(words: Words): Html {
  return html`<a class="go button" href="">${words.tryAgain}</a>`
}
