import type { AuditAction } from '../../src/core/audit/audit.ts'
import { addAccount } from '../../src/core/merchants/accounts/change-accounts.ts'
import { changeBrand } from '../../src/core/merchants/brand/change-brand.ts'
import { enableCurrency } from '../../src/core/merchants/create-merchant.ts'
import { checkPicture } from '../../src/core/merchants/pictures/check-picture.ts'
import type { Reason, Walk } from './walk.ts'
import type { OpenIdHouse } from './openid-house.ts'
import { makePng } from './pictures.ts'
import { signedIn } from './visitor.ts'

// The forms of a shop's settings: see audit-walks.ts.

const here = '/dashboard/:merchant/:mode/settings'
const settings = ({ house }: OpenIdHouse): string => `/dashboard/${house.merchantId}/live/settings`

type Sent = { readonly page: string; readonly to?: string; readonly fields?: Record<string, string> }

function walk(leaves: readonly AuditAction[], set: (at: OpenIdHouse) => Promise<Sent> | Sent): Walk {
  return {
    leaves,
    prepare: async (at) => {
      const visitor = await signedIn(at.house, { role: 'owner', isOperator: true })
      const { page, to = page, fields = {} } = await set(at)
      await visitor.get(page)
      return () => visitor.post(to, fields)
    },
  }
}

const network = 'asks a network: dashboard-networks.test.ts has one, and finds its entry'

export const walksOfSettings: Readonly<Record<string, Walk | Reason>> = {
  [`POST ${here}/shop/edit`]: walk(['merchant.changed', 'merchant.changed'], (at) => ({
    page: `${settings(at)}/shop/edit`,
    fields: { name: 'Walked shop', colour: '#123456' },
  })),
  [`POST ${here}/shop/edit/do/preview`]: { excused: 'draws what was typed and stores nothing' },
  [`POST ${here}/shop/logo`]: {
    excused: 'brings a file: dashboard-settings.test.ts does, and finds its entry',
  },
  [`POST ${here}/shop/logo/do/remove`]: walk(['merchant.changed'], async (at) => {
    const checked = checkPicture(makePng(8, 8))
    if (checked.ok) await changeBrand(at.house.db, at.house.merchantId, { logo: checked.picture })
    return { page: `${settings(at)}/shop/logo`, to: `${settings(at)}/shop/logo/do/remove` }
  }),
  [`POST ${here}/networks/:network/connect`]: { excused: network },
  [`POST ${here}/networks/:network/credentials`]: { excused: network },
  [`POST ${here}/networks/:network/do/callbacks`]: { excused: network },
  [`POST ${here}/networks/:network/do/test`]: { excused: 'only asks the network' },
  [`POST ${here}/networks/:network/disconnect`]: walk(['account.removed'], async (at) => {
    await addAccount(at.house.db, at.house.app.secrets, at.house.merchantId, {
      connector: 'gocardless',
      credentials: {},
      label: 'Walked',
      sandbox: true,
      callbacks: 'unknown',
    })
    return { page: `${settings(at)}/networks/gocardless/disconnect` }
  }),
  [`POST ${here}/payments/edit`]: walk(['merchant.changed', 'merchant.changed'], (at) => ({
    page: `${settings(at)}/payments/edit`,
    fields: { email: 'walked@example.com', secret_keys: 'off', embed_hosts: 'shop.example.com' },
  })),
  [`POST ${here}/payments/currencies`]: walk(['merchant.currency_enabled'], (at) => ({
    page: `${settings(at)}/payments/currencies`,
    fields: { currency: 'SEK' },
  })),
  [`POST ${here}/payments/currencies/:currency`]: walk(['merchant.currency_disabled'], async (at) => {
    await enableCurrency(at.house.db, at.house.merchantId, 'NOK')
    return { page: `${settings(at)}/payments/currencies/NOK` }
  }),
  [`POST ${here}/bookkeeping/edit`]: walk(['bookkeeping.changed'], (at) => ({
    page: `${settings(at)}/bookkeeping/edit`,
    fields: { sales: '8400', fees: '4970' },
  })),
  [`POST ${here}/saved-methods/edit`]: walk(['saved_method.rules_changed'], (at) => ({
    page: `${settings(at)}/saved-methods/edit`,
    fields: { charges: 'stopped', method_GBP: '500', all_GBP: '' },
  })),
  [`POST ${here}/live/do/check`]: { excused: 'only asks the networks' },
  [`POST ${here}/live`]: {
    excused: 'a merchant of a test lacks what live payments need: dashboard-settings.test.ts',
  },
}
