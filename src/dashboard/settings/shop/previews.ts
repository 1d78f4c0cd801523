import { html, type Html } from '../../../platform/http/html.ts'
import type { Mode } from '../../../core/merchants/mode.ts'
import { composeMail } from '../../../core/notifications/mail/compose-mail.ts'
import type { MemberAsk } from '../../ask.ts'
import { pathOf } from '../parts.ts'
import type { Shown } from './fields.ts'

export const previewed = ['checkout', 'mail', 'receipt'] as const
export type Previewed = (typeof previewed)[number]

const titles: Readonly<Record<Previewed, string>> = { checkout: 'Checkout', mail: 'Mail', receipt: 'Receipt' }

/** Preview frames, of the draft or of what is stored. */
export function previewFrames(ask: MemberAsk, draft?: string): Html {
  const query = draft === undefined ? '' : `?draft=${draft}`
  return html`<div class="previews">
    ${previewed.map((what) => {
      const address = `${pathOf(ask, `/shop/preview/${what}`)}${query}`
      // PDF viewers don't work in a sandbox, and a PDF sends no forms.
      const isPdf = what === 'receipt'
      return html`<figure>
        <figcaption>
          <span>${titles[what]}</span>
          <a href="${address}" target="_blank" rel="noopener" aria-label="Open the preview: ${titles[what]}">Open</a>
        </figcaption>
        <iframe
          title="Preview: ${titles[what]}"
          src="${address}${isPdf && '#toolbar=0&navpanes=0&view=FitH'}"
          loading="lazy"
          ${isPdf ? html`class="paper"` : html`sandbox=""`}
        ></iframe>
      </figure>`
    })}
  </div>`
}

/** The receipt e-mail, with links that do nothing. */
export function sampleMail(shop: Shown, mode: Mode, now: Date, prefix: string): string {
  const { id, name, brand } = shop
  const facts = {
    template: 'receipt',
    language: brand.languages[0] ?? 'en',
    firstName: 'Ada',
    amountMinor: '9950',
    refundedMinor: '0',
    currency: 'GBP',
    reference: 'FLSAMPLE1042',
    txRef: 'order-1042',
    title: 'Two walnut chairs',
    receiptUrl: '#',
    items: [
      { name: 'Walnut chair', quantity: 2, totalMinor: '9000' },
      { name: 'Delivery', quantity: 1, totalMinor: '950' },
    ],
    paidWith: { network: 'Stripe', card: { brand: 'Visa', last4: '4242' } },
  } as const
  const { html: mail } = composeMail(facts, {
    merchantName: name,
    isTest: mode === 'test',
    at: now.toISOString(),
    brand,
    ...(brand.logoId !== undefined && { logoUrl: `${prefix}/logo/${id}/${brand.logoId}` }),
  })
  return mail.replace('<body ', '<body inert ')
}
