import { html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'
import type { Words } from '../language.ts'
import type { Setting } from '../scene.ts'
import { frame } from './frame.ts'
import { mark } from './marks.ts'

// Pages without a payment: nothing here, too many tries, something broke.

export type Astray = 'notFound' | 'tooMany' | 'broken' | 'brokenPay' | 'strange'

const texts: Readonly<Record<Astray, { title: keyof Words; body: keyof Words }>> = {
  notFound: { title: 'notFoundTitle', body: 'notFoundBody' },
  tooMany: { title: 'tooManyTitle', body: 'tooManyBody' },
  broken: { title: 'brokenTitle', body: 'brokenBody' },
  brokenPay: { title: 'brokenTitle', body: 'brokenPay' },
  strange: { title: 'strangeTitle', body: 'strangeBody' },
}

export function astrayPage(setting: Setting, astray: Astray, payment?: string): Page {
  const { words } = setting.language
  const { title, body } = texts[astray]
  return frame(setting, {
    title: words[title],
    ...(payment !== undefined && { home: payment }),
    content: html`<section class="card sheet" aria-labelledby="astray">
      ${mark(astray === 'notFound' ? 'question' : 'clock', astray === 'brokenPay' ? 'warn' : 'calm')}
      <h1 id="astray">${words[title]}</h1>
      <p>${words[body]}</p>
      ${payment !== undefined && html`<a class="go button" href="${payment}">${words.openPayment}</a>`}
    </section>`,
  })
}
