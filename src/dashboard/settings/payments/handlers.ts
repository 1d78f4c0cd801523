import { Refusal } from '../../../platform/errors/refusals.ts'
import { changeShop, disableCurrency, enableCurrency } from '../../../core/merchants/create-merchant.ts'
import { isCurrency } from '../../../platform/money/currencies.ts'
import type { Answer, MemberAsk, Route } from '../../ask.ts'
import { forMember, go, orShowMistakes, show } from '../../define-route.ts'
import { actorOf, fresh, merchantNow, pathOf } from '../parts.ts'
import { editPaymentsPage } from './edit-page.ts'
import { currencyOffPage, currencyOnPage, paymentsPage } from './page.ts'
import { brandChanges, merchantChanges } from './read-settings.ts'

// Payment settings. The operator sets the fee plan.

async function save(ask: MemberAsk): Promise<Answer> {
  const { core, fields } = ask
  const merchant = await merchantNow(ask)
  return orShowMistakes(
    async () => {
      const changes = { merchant: merchantChanges(fields, merchant), brand: brandChanges(fields) }
      await changeShop(core.db, merchant.id, changes, actorOf(ask))
      return { ...go(pathOf(ask, '/payments')), notice: 'payment_settings_changed' }
    },
    (mistakes) => editPaymentsPage(ask, merchant, fields, mistakes),
  )
}

/** 404 if the currency is unknown or already off. */
async function currencyOf(ask: MemberAsk): Promise<string> {
  const code = ask.params['currency'] ?? ''
  const merchant = await merchantNow(ask)
  if (!isCurrency(code) || merchant.currenciesOff.has(code)) throw new Refusal('not_found')
  return code
}

async function switchOff(ask: MemberAsk): Promise<Answer> {
  const code = await currencyOf(ask)
  return orShowMistakes(
    async () => {
      await disableCurrency(ask.core.db, ask.place.merchant.id, code, actorOf(ask))
      return { ...go(pathOf(ask, '/payments')), notice: 'currency_off' }
    },
    (mistakes) => currencyOffPage(ask, code, mistakes),
  )
}

async function switchOn(ask: MemberAsk): Promise<Answer> {
  const code = (ask.fields.get('currency') ?? '').toUpperCase().slice(0, 20)
  // Turning off has its own confirmation page.
  if (ask.fields.get('off') === 'yes')
    return go(pathOf(ask, `/payments/currencies/${encodeURIComponent(code)}`))
  return orShowMistakes(
    async () => {
      await enableCurrency(ask.core.db, ask.place.merchant.id, code, actorOf(ask))
      return { ...go(pathOf(ask, '/payments')), notice: 'currency_on' }
    },
    async (mistakes) => currencyOnPage(ask, await merchantNow(ask), mistakes),
  )
}

export const paymentSettingsRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/settings/payments',
    'settings.view',
    async (ask) => show(paymentsPage(ask, await merchantNow(ask))),
    { nav: { label: 'Payment settings', order: 74, group: 'Settings' } },
  ),
  forMember(
    'GET',
    '/settings/payments/edit',
    'settings.change',
    async (ask) => show(editPaymentsPage(ask, await merchantNow(ask))),
    fresh,
  ),
  forMember('POST', '/settings/payments/edit', 'settings.change', save, fresh),
  forMember(
    'GET',
    '/settings/payments/currencies',
    'settings.change',
    async (ask) => show(currencyOnPage(ask, await merchantNow(ask))),
    fresh,
  ),
  forMember('POST', '/settings/payments/currencies', 'settings.change', switchOn, fresh),
  forMember(
    'GET',
    '/settings/payments/currencies/:currency',
    'settings.change',
    async (ask) => show(currencyOffPage(ask, await currencyOf(ask))),
    fresh,
  ),
  forMember('POST', '/settings/payments/currencies/:currency', 'settings.change', switchOff, fresh),
]
