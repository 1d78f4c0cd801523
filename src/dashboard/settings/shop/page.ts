import { html, type Html } from '../../../platform/http/html.ts'
import type { Merchant } from '../../../core/merchants/authenticate.ts'
import { countryName } from '../../../core/merchants/brand/countries.ts'
import type { Content, MemberAsk } from '../../ask.ts'
import { head } from '../../parts/parts.ts'
import { facts, section } from '../../parts/things.ts'
import { mayChange, pathOf, styles } from '../parts.ts'
import { labels } from './fields.ts'
import { previewFrames } from './previews.ts'

// The shop as customers see it.

export function shopPage(ask: MemberAsk, merchant: Merchant): Content {
  const { brand } = merchant
  const isOwner = mayChange(ask)
  return {
    title: 'Shop',
    styles,
    body: html`${head('Shop', {
      lead: 'How customers see you on the checkout, in e-mails and on receipts.',
      ...(isOwner && { action: actions(ask) }),
    })}
    ${facts([
      [labels.name, merchant.name],
      ['Logo', logoOf(ask, merchant)],
      [labels.colour, brand.colour === undefined ? notSet() : swatch(brand.colour)],
      [labels.website, brand.website ?? notSet()],
      [labels.support_email, brand.supportEmail ?? notSet()],
      [labels.support_phone, brand.supportPhone ?? notSet()],
      [labels.address, brand.address.length === 0 ? notSet() : brand.address.join(', ')],
      [labels.company_number, brand.companyNumber ?? notSet()],
      [labels.vat_number, brand.vatNumber ?? notSet()],
      [labels.country, brand.country === undefined ? notSet() : countryName(brand.country)],
      [labels.time_zone, brand.timeZone],
      [labels.statement_descriptor, brand.statementDescriptor ?? notSet()],
      [labels.terms_url, brand.termsUrl ?? notSet()],
      [labels.privacy_url, brand.privacyUrl ?? notSet()],
      [labels.legal_notice_url, brand.legalNoticeUrl ?? notSet()],
    ])}
    ${section('What customers see', previewFrames(ask))} ${also(ask)}`,
  }
}

function actions(ask: MemberAsk): Html {
  return html`<div class="actions">
    <a class="button plain" href="${pathOf(ask, '/shop/logo')}">Change logo</a>
    <a class="button go" href="${pathOf(ask, '/shop/edit')}">Edit</a>
  </div>`
}

function notSet(): Html {
  return html`<span class="quiet">Not set</span>`
}

/** An SVG, because our CSP forbids inline styles. */
function swatch(colour: string): Html {
  return html`<svg class="swatch" viewBox="0 0 14 14" aria-hidden="true">
      <rect width="14" height="14" rx="3" fill="${colour}" /></svg
    ><span class="figures">${colour}</span>`
}

export function logoOf({ dashboard }: MemberAsk, { id, brand }: Merchant): Html {
  if (brand.logoId === undefined) return notSet()
  return html`<img class="shop-logo" src="${dashboard.prefix}/logo/${id}/${brand.logoId}" alt="Your logo" />`
}

function also(ask: MemberAsk): Html {
  const { home } = ask.place
  return html`<p class="also">
    <a href="${home}/team">Team</a>
    <a href="${home}/audit">Audit log</a>
    <a href="${ask.dashboard.prefix}/dashboard/account/sessions">Your sessions</a>
  </p>`
}
