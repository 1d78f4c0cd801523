import { html, type Html } from '../../../../platform/http/html.ts'
import { readStylesheet, type Page } from '../../../../platform/http/page.ts'
import { languageOf, localeOf } from '../../../merchants/brand/languages.ts'
import { displayAmount } from '../../../../platform/money/money.ts'
import type { PageRow } from '../store.ts'
import { bankWords, type BankWords } from '../words.ts'

const styles = readStylesheet(new URL('./bank.css', import.meta.url))

export function bankPage(page: PageRow, isOpen: boolean): Page {
  const language = languageOf(page.language ?? 'en')
  const words = bankWords(language)
  return {
    title: words.bank,
    language,
    direction: language === 'ar' ? 'rtl' : 'ltr',
    styles: [styles],
    body: html`<header class="stranger">
        <p class="name">${words.bank}</p>
        <p>${words.plays}</p>
      </header>
      <main>
        <section class="card">
          ${isOpen ? openPage(page, words) : endedPage(page, words)}
        </section>
      </main>`,
  }
}

function openPage(page: PageRow, words: BankWords): Html {
  const amount = amountOf(page)
  return html`<h1 class="amount"><bdi>${amount}</bdi></h1>
    <dl>
      <dt>${words.payee}</dt>
      <dd><bdi>${page.merchant_name}</bdi></dd>
      <dd class="quiet"><bdi>${page.description}</bdi></dd>
    </dl>
    <form method="post">
      <button class="go" name="answer" value="pay">${words.pay.replace('{amount}', () => amount)}</button>
      <button name="answer" value="pay_later">${words.payLater}</button>
      <button name="answer" value="refuse">${words.refuse}</button>
    </form>
    ${page.cancel_url !== null && html`<a class="button" href="${page.cancel_url}">${words.leave}</a>`}`
}

function endedPage(page: PageRow, words: BankWords): Html {
  return html`<h1>${words.ended}</h1>
    ${page.cancel_url !== null && html`<a class="go button" href="${page.cancel_url}">${words.back}</a>`}`
}

/** Arabic keeps the digits of the other languages, as on the checkout. */
function amountOf(page: PageRow): string {
  if (page.amount_minor === null || page.currency === null) return ''
  const text = displayAmount(page.amount_minor, page.currency, localeOf(page.language ?? 'en'))
  // A sign with Latin letters would change sides between Arabic words.
  return languageOf(page.language ?? 'en') === 'ar'
    ? `\u2066${text.replace(/[\u200e\u200f\u061c]/g, '')}\u2069`
    : text
}
