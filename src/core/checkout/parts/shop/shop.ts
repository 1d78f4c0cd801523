import { html, type Html } from '../../../../platform/http/html.ts'
import { makeStylesheet, type Stylesheet } from '../../../../platform/http/page.ts'
import { plainText } from '../../../../platform/input/isolate.ts'
import { accentsOf } from '../../../merchants/brand/accent.ts'
import { fill, type Words } from '../../language.ts'
import type { Setting, Shop } from '../../page-model.ts'

// The shop's page: the merchant's logo and name above, its contact below, and its colour.

export function stylesOf({ shop }: Setting): readonly Stylesheet[] {
  if (!shop) return []
  const { colour } = shop.brand
  return colour === undefined ? [] : [accentStyles(colour)]
}

const drawn = new Map<string, Stylesheet>()
const drawnMax = 1_000

/** A merchant's colour takes the place of our accent, and of nothing else. */
function accentStyles(colour: string): Stylesheet {
  const known = drawn.get(colour)
  if (known) return known
  if (drawn.size >= drawnMax) drawn.clear() // No test: the size of a cache is no promise
  const { light, dark } = accentsOf(colour)
  const rule = ({ accent, ink }: typeof light): string => `:root{--accent:${accent};--accent-ink:${ink}}`
  const made = makeStylesheet(`${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`)
  drawn.set(colour, made)
  return made
}

/** Above what is not the pay page, which begins with the merchant anyway. */
export function shopLine({ shop }: Setting): Html | false {
  if (!shop) return false
  const name = html`<bdi>${plainText(shop.name)}</bdi>`
  const { website } = shop.brand
  return html`<p class="shop">
    ${logoOf(shop)}
    <span>${website === undefined ? name : html`<a href="${website}" rel="noreferrer">${name}</a>`}</span>
  </p>`
}

export function logoOf(shop: Shop | undefined): Html | false {
  return shop?.logo !== undefined && html`<img class="logo" src="${shop.logo}" alt="" decoding="async" />`
}

/** How to reach the merchant, and who it is; nothing when nothing is known. */
export function contactOf({ shop, language }: Setting): Html | false {
  if (!shop) return false
  const company = companyLines(shop.brand, language.words).map((line) => html`<bdi>${line}</bdi>`)
  const address = shop.brand.address.join(', ')
  const lines = [
    reachParts(shop),
    address === '' ? [] : [html`<bdi>${address}</bdi>`],
    company,
    legalParts(shop, language.words),
  ]
  const said = lines.filter((parts) => parts.length > 0)
  if (said.length === 0) return false
  return html`<address class="contact">
    <p><bdi>${plainText(shop.name)}</bdi></p>
    ${said.map((parts) => html`<p>${parts.map((part) => html`<span>${part}</span> `)}</p>`)}
  </address>`
}

function reachParts({ brand }: Shop): Html[] {
  const { website, supportEmail, supportPhone } = brand
  const parts = [
    website !== undefined &&
      html`<a href="${website}" rel="noreferrer"><bdi dir="ltr">${new URL(website).host}</bdi></a>`,
    supportEmail !== undefined &&
      html`<a href="mailto:${encodeURI(supportEmail)}"><bdi>${supportEmail}</bdi></a>`,
    supportPhone !== undefined &&
      html`<a href="tel:${supportPhone.replace(/[^\d+]/g, '')}"><bdi dir="ltr">${supportPhone}</bdi></a>`,
  ]
  return parts.filter((part) => part !== false)
}

function legalParts({ brand }: Shop, words: Words): Html[] {
  const pages = [
    [words.terms, brand.termsUrl],
    [words.privacy, brand.privacyUrl],
    [words.legalNotice, brand.legalNoticeUrl],
  ] as const
  // In a new tab: reading the terms doesn't leave the payment.
  return pages.flatMap(([label, url]) =>
    url === undefined ? [] : [html`<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`],
  )
}

/** As shown on a page, in an e-mail and on a PDF. */
export function companyLines(brand: Shop['brand'], words: Words): string[] {
  const { companyNumber, vatNumber } = brand
  return [
    ...(companyNumber === undefined ? [] : [fill(words.companyNumber, { number: companyNumber })]),
    ...(vatNumber === undefined ? [] : [fill(words.vatNumber, { number: vatNumber })]),
  ]
}
