import { html, type Html } from '../../../../platform/http/html.ts'

// The logos of the card schemes, and where to find the security code on a card: drawn inline, so nothing is fetched and
// they are sharp on every screen.

export type Brand = { readonly code: string; readonly name: string }

export const brands: readonly (Brand & { readonly drawing: Html })[] = [
  {
    code: 'visa',
    name: 'Visa',
    drawing: html`<path fill="#fff" d="M0 0h36v24H0z" /><path fill="#1434cb" transform="translate(6)" d="M9.112 8.262L5.97 15.758H3.92L2.374 9.775c-.094-.368-.175-.503-.461-.658C1.447 8.864.677 8.627 0 8.479l.046-.217h3.3a.904.904 0 0 1 .894.764l.817 4.338 2.018-5.102zm8.033 5.049c.008-1.979-2.736-2.088-2.717-2.972.006-.269.262-.555.822-.628a3.66 3.66 0 0 1 1.913.336l.34-1.59a5.207 5.207 0 0 0-1.814-.333c-1.917 0-3.266 1.02-3.278 2.479-.012 1.079.963 1.68 1.698 2.04.756.367 1.01.603 1.006.931-.005.504-.602.725-1.16.734-.975.015-1.54-.263-1.992-.473l-.351 1.642c.453.208 1.289.39 2.156.398 2.037 0 3.37-1.006 3.377-2.564m5.061 2.447H24l-1.565-7.496h-1.656a.883.883 0 0 0-.826.55l-2.909 6.946h2.036l.405-1.12h2.488zm-2.163-2.656l1.02-2.815.588 2.815zm-8.16-4.84l-1.603 7.496H8.34l1.605-7.496z" />`,
  },
  {
    code: 'mastercard',
    name: 'Mastercard',
    drawing: html`<path fill="#fff" d="M0 0h36v24H0z" /><circle cx="13.7" cy="12" r="7" fill="#eb001b" /><circle cx="22.3" cy="12" r="7" fill="#f79e1b" /><path fill="#ff5f00" d="M18 6.48a7 7 0 0 1 0 11.04 7 7 0 0 1 0-11.04" />`,
  },
  {
    code: 'amex',
    name: 'American Express',
    drawing: html`<path fill="#006fcf" d="M0 0h36v24H0z" /><path fill="none" stroke="#fff" stroke-width="1.7" transform="matrix(.84 0 0 .84 2.5 1.9)" d="M4 16l3.2-8 3.2 8M5.2 13.6h4M12.5 16V8.5l3.25 5 3.25-5V16M27 8.85h-5.2v6.3H27M21.8 12h4.5M27.5 8l5.5 8M33 8l-5.5 8" />`,
  },
]

export function cardMark({ code }: Brand): Html {
  return html`<span class="brand" data-brand="${code}"></span>`
}

/** The drawings, for the file of styles: a browser keeps them, so that they do not travel with every page. */
export const cardMarkRules = brands.map(({ code, drawing }) => {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 24">${drawing.text}</svg>`
  return `.brand[data-brand=${code}]{background-image:url("data:image/svg+xml,${encodeURIComponent(picture)}")}`
})

/** The back of a card with its three digits, and, for American Express, the front with its four. */
export const codePlace = html`<svg class="code-place" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true">
  <rect x=".5" y=".5" width="35" height="23" rx="3" />
  <g data-side="back"><path class="stripe" d="M1 5h34v4H1z" /><path d="M4 14h12" /><rect class="ring" x="20.5" y="11.5" width="12" height="7" rx="3.5" /><path class="dots" d="M23.5 15h.01M26.5 15h.01M29.5 15h.01" /></g>
  <g data-side="front"><path d="M4 17.5h12M4 5h6" /><rect class="ring" x="17.5" y="7.5" width="15" height="7" rx="3.5" /><path class="dots" d="M20.5 11h.01M23.5 11h.01M26.5 11h.01M29.5 11h.01" /></g>
</svg>`
