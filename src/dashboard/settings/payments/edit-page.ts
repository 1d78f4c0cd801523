import { html, type Html } from '../../../platform/http/html.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import type { Merchant } from '../../../core/merchants/authenticate.ts'
import { languageCodes, languageName } from '../../../core/merchants/brand/languages.ts'
import { paymentMethods } from '../../../platform/money/payment-methods.ts'
import { idleChoices } from '../../../core/merchants/times/idle.ts'
import { formatMinutes, payWithinOf, payWithinUnits } from '../../../core/merchants/times/pay-within.ts'
import type { Content, MemberAsk } from '../../ask.ts'
import { select } from '../../parts/lists.ts'
import { crumb, field, form, head, problems, type Mistakes } from '../../parts/parts.ts'
import { area, inLabels, pathOf, radio, styles } from '../parts.ts'
import { firstMethods, languageField } from './read-settings.ts'

const labels = {
  email: 'E-mail address',
  embed_hosts: 'Hosts',
  pay_within: 'Time to pay',
}

export function editPaymentsPage(
  ask: MemberAsk,
  merchant: Merchant,
  typed: FormFields = new Map(),
  mistakes: Mistakes = {},
): Content {
  const said = inLabels(mistakes, labels)
  const path = pathOf(ask, '/payments')
  const isTaken = (typed.get('secret_keys') ?? (merchant.formsTakeSecretKeys ? 'on' : 'off')) === 'on'
  const hosts = typed.get('embed_hosts') ?? merchant.brand.embedHosts.join('\n')
  return {
    title: 'Edit payment settings',
    styles,
    body: html`${head('Edit payment settings', { crumb: crumb(path, 'Payment settings') })}
      <div class="card form">
        ${problems(said)}
        ${form(
          ask,
          `${path}/edit`,
          html`${payWithin(merchant, typed, said)} ${afterPaying(merchant, typed)} ${firstMethod(merchant, typed)} ${languages(merchant, typed, said)}
            ${field(
              {
                name: 'email',
                label: 'Alert e-mail',
                type: 'email',
                autocomplete: 'off',
                value: typed.get('email') ?? merchant.email ?? '',
                hint: 'For failing receivers, exposed keys and disputes',
              },
              said,
            )}
            ${signOut(merchant, typed)}
            <fieldset>
              <legend>Secret keys in web forms</legend>
              ${radio('secret_keys', 'off', !isTaken, 'Refuse', 'Use form keys instead. Someone who copies one can only start payments')}
              ${radio('secret_keys', 'on', isTaken, 'Accept', 'Anyone who opens the page can copy the key. Florin marks it as exposed')}
            </fieldset>
            ${area({ name: 'embed_hosts', label: 'Sites that can embed the checkout', hint: 'One host per line, such as shop.example.com', value: hosts }, said)}
            <div><button class="go">Save</button></div>`,
        )}
      </div>`,
  }
}

const units = Object.keys(payWithinUnits).map((unit) => [unit, unit] as const)

function payWithin(merchant: Merchant, typed: FormFields, mistakes: Mistakes): Html {
  const { count, unit } = payWithinOf(merchant.payWithinMinutes)
  return html`<fieldset>
    <legend>Time to pay</legend>
    <p class="hint">30 minutes to 30 days. Existing payments keep their deadline.</p>
    <div class="pair">
      ${field({ name: 'pay_within', label: 'Time', autocomplete: 'off', inputmode: 'numeric', value: typed.get('pay_within') ?? String(count) }, mistakes)}
      ${select('pay_within_unit', 'Unit', units, typed.get('pay_within_unit') ?? unit)}
    </div>
  </fieldset>`
}

const idleTimes = idleChoices.map((minutes) => [String(minutes), formatMinutes(minutes)] as const)

function signOut({ idleMinutes }: Merchant, typed: FormFields): Html {
  return select(
    'idle',
    'Sign your team out of the dashboard after',
    idleTimes,
    typed.get('idle') ?? String(idleMinutes),
    'Time without use. For people in several shops the shortest of their times counts',
  )
}

function afterPaying({ brand }: Merchant, typed: FormFields): Html {
  const isReceipt = (typed.get('after_paying') ?? (brand.receiptFirst ? 'receipt' : 'shop')) === 'receipt'
  return html`<fieldset>
    <legend>After paying, customers see</legend>
    ${radio('after_paying', 'shop', !isReceipt, 'Your page', 'The payment’s return_url. The receipt is e-mailed, and stays at the payment link')}
    ${radio('after_paying', 'receipt', isReceipt, 'The receipt first', 'With a button back to your page')}
  </fieldset>`
}

function firstMethod({ brand }: Merchant, typed: FormFields): Html {
  const first = typed.get('first_method') ?? brand.methodOrder[0] ?? 'card'
  return html`<fieldset>
    <legend>First way to pay</legend>
    ${paymentMethods.map((method) =>
      radio('first_method', method, method === first, firstMethods[method].name, firstMethods[method].why),
    )}
  </fieldset>`
}

function languages({ brand }: Merchant, typed: FormFields, mistakes: Mistakes): Html {
  const wasSent = typed.has('first_language')
  const isOffered = (code: string): boolean =>
    wasSent ? typed.has(languageField(code)) : brand.languages.length === 0 || brand.languages.includes(code)
  const mistake = mistakes['languages']
  return html`<fieldset id="languages" ${mistake !== undefined && html`aria-describedby="languages-error"`}>
      <legend>Languages of the checkout</legend>
      <p class="hint">Customers see their own language if it is selected, and can switch.</p>
      <div class="ticks">
        ${languageCodes.map(
          (code) => html`<label class="choice">
            <input type="checkbox" name="${languageField(code)}" value="yes" ${isOffered(code) && html`checked`} />
            <span>${languageName(code)}</span>
          </label>`,
        )}
      </div>
      ${mistake !== undefined && html`<p class="error" id="languages-error">${mistake}</p>`}
    </fieldset>
    ${select(
      'first_language',
      'Default language',
      languageCodes.map((code) => [code, languageName(code)] as const),
      typed.get('first_language') ?? brand.languages[0] ?? 'en',
    )}`
}
