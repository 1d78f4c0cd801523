import { html } from '../../../platform/http/html.ts'
import { linkUrl } from '../address.ts'
import type { LinkRow } from '../find-links.ts'
import { accentsOf } from '../../../core/merchants/brand/accent.ts'
import { displayAmount } from '../../../platform/money/money.ts'

// The HTML that puts a link on any page: a link that looks like a button. The script opens it over the page; without the script it is a link.

/** Florin's own green, as in base.css. */
const ownColour = '#17603f'

type ButtonLink = Pick<LinkRow, 'merchant_id' | 'id' | 'amount_minor' | 'currency'>

export function buttonHtml(link: ButtonLink, colour: string | undefined, baseUrl: string): string {
  const { accent, ink } = accentsOf(colour ?? ownColour).light
  const look = `display:inline-block;padding:12px 24px;border-radius:8px;background:${accent};color:${ink};font:600 17px/1.2 system-ui,sans-serif;text-decoration:none`
  const text =
    link.amount_minor === null ? 'Pay' : `Pay ${displayAmount(link.amount_minor, link.currency, 'en-GB')}`
  return html`<a href="${linkUrl(link, baseUrl)}" data-florin style="${look}">${text}</a>
<script async src="${baseUrl.replace(/\/+$/, '')}/checkout.js"></script>`.text
}
