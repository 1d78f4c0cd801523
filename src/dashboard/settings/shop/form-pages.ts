import { html, type Html } from '../../../platform/http/html.ts'
import type { Merchant } from '../../../core/merchants/authenticate.ts'
import type { Content, MemberAsk } from '../../ask.ts'
import { countryCodes, countryName } from '../../../core/merchants/brand/countries.ts'
import { select, type Choice } from '../../parts/lists.ts'
import { crumb, field, form, head, press, problems, type Mistakes } from '../../parts/parts.ts'
import { section } from '../../parts/things.ts'
import { area, inLabels, pathOf, styles } from '../parts.ts'
import { labels, type FieldName, type Typed } from './fields.ts'
import { logoOf } from './page.ts'
import { previewFrames } from './previews.ts'

type Options = { readonly mistakes?: Mistakes; readonly draft?: string }

/** `draft`: shows previews of unsaved changes. */
export function editPage(ask: MemberAsk, typed: Typed, { mistakes = {}, draft }: Options = {}): Content {
  const said = inLabels(mistakes, labels)
  const path = pathOf(ask, '/shop/edit')
  return {
    title: 'Edit shop',
    styles,
    body: html`${head('Edit shop', { crumb: crumb(pathOf(ask, '/shop'), 'Shop') })}
      ${
        draft !== undefined &&
        section(
          'Preview',
          html`<p class="quiet">Not saved yet.</p>
            ${previewFrames(ask, draft)}`,
        )
      }
      <div class="card form">
        ${problems(said)}
        ${form(
          ask,
          path,
          html`${formFields(typed, said)}
            <div class="actions">
              <button class="go">Save</button>
              <button class="plain" formaction="${path}/do/preview">Preview</button>
            </div>`,
        )}
      </div>`,
  }
}

const hints: Partial<Record<FieldName, string>> = {
  name: 'The name that customers know',
  colour: 'For example #17603f. Florin adjusts it so text stays readable',
  website: 'Your name links to it',
  support_email: 'Replies to receipts go here',
  company_number: 'If the law requires it on receipts',
  statement_descriptor: 'Shown on customers’ bank statements: 5 to 22 plain letters',
  terms_url: 'An address such as https://shop.example/terms. Linked at the foot of the checkout',
  privacy_url: 'Linked at the foot of the checkout',
  legal_notice_url: 'Linked at the foot of the checkout. Germany and Austria call it Impressum',
}

function formFields(typed: Typed, mistakes: Mistakes): Html {
  const text = (name: FieldName, more: { type?: 'email'; autocomplete?: string } = {}): Html =>
    field(
      {
        name,
        label: labels[name],
        value: typed[name],
        hint: hints[name],
        autocomplete: 'off',
        ...more,
      },
      mistakes,
    )
  return html`${text('name')}
    <div class="with-picker">${text('colour')}
      <input type="color" data-of="colour" aria-label="Pick a colour" value="#17603f" hidden /></div>
    ${text('website')}
    ${text('support_email', { type: 'email' })} ${text('support_phone')}
    ${area({ name: 'address', label: labels.address, hint: 'Up to six lines', value: typed.address }, mistakes)}
    ${text('company_number')} ${text('vat_number')}
    ${select('country', labels.country, countries, typed.country, 'Decides what the tax on receipts is called')}
    ${select('time_zone', labels.time_zone, zones(typed.time_zone), typed.time_zone, 'Of the times on receipts')}
    ${text('statement_descriptor')} ${text('terms_url')} ${text('privacy_url')} ${text('legal_notice_url')}`
}

const countries: readonly Choice[] = [
  ['', 'Not set'],
  ...countryCodes
    .map((code): Choice => [code, countryName(code)])
    .toSorted(([, left], [, right]) => left.localeCompare(right, 'en')),
]

const known = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

function zones(chosen: string): Choice[] {
  const all = known.includes(chosen) ? known : [chosen, ...known]
  return all.map((zone) => [zone, zone.replaceAll('_', ' ')])
}

export function logoPage(ask: MemberAsk, merchant: Merchant, typed = '', mistakes: Mistakes = {}): Content {
  const path = pathOf(ask, '/shop/logo')
  const mistake = mistakes['file']
  return {
    title: 'Change logo',
    styles,
    body: html`${head('Change logo', { crumb: crumb(pathOf(ask, '/shop'), 'Shop') })}
      <div class="card form">
        ${problems(mistakes)}
        <form class="stack" method="post" action="${path}" enctype="multipart/form-data" novalidate>
          <input type="hidden" name="token" value="${ask.token}" />
          <div class="field">
            <label for="file">Upload an image</label>
            <p class="hint" id="file-hint">PNG or JPEG, at most 1024 × 1024 pixels and 200 kB</p>
            <input
              id="file"
              name="file"
              type="file"
              accept="image/png,image/jpeg"
              aria-describedby="file-hint${mistake !== undefined && ' file-error'}"
              ${mistake !== undefined && html`aria-invalid="true"`}
            />
            ${mistake !== undefined && html`<p class="error" id="file-error">${mistake}</p>`}
          </div>
          <p class="or">or</p>
          ${field({ name: 'url', label: 'Image URL', value: typed, autocomplete: 'off', hint: 'Florin downloads it once and serves it to customers' }, mistakes)}
          <div><button class="go">Save logo</button></div>
        </form>
      </div>
      ${merchant.brand.logoId !== undefined && currentLogo(ask, merchant, path)}`,
  }
}

function currentLogo(ask: MemberAsk, merchant: Merchant, path: string): Html {
  return html`<div class="card form">
    <h2>Current logo</h2>
    ${logoOf(ask, merchant)}
    <div>${press(ask, `${path}/do/remove`, 'Remove', {}, 'danger')}</div>
  </div>`
}
