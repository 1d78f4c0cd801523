import type Stripe from 'stripe'
import type { MethodMark } from '../../platform/money/payment-methods.ts'
import type { Account, Checked } from '../../core/networks/hosted.ts'
import { callbackEvents, neededEvents } from './callback.ts'
import { ask, valueOf, type StripeWay } from './client.ts'

/** Secret keys, and keys restricted to what we need. */
export function isSandbox(credentials: Account['credentials']): boolean {
  return /^(sk|rk)_test_/.test(credentials['secret_key'] ?? '')
}

export async function check(
  way: StripeWay,
  account: Account,
  callbackUrl: string,
  signal: AbortSignal,
): Promise<Checked> {
  const found = await ask(way, account, signal, (stripe) => stripe.accounts.retrieveCurrent())
  if (found.kind === 'refused') return { kind: 'refused', why: found.why }
  const { id, settings, business_profile } = found.value
  const accountName = settings?.dashboard.display_name ?? business_profile?.name ?? ''
  return {
    kind: 'works',
    accountName: accountName === '' ? id : `${accountName} (${id})`,
    sandbox: isSandbox(account.credentials),
    callbacks: await readCallbacks(way, account, callbackUrl, signal),
    marks: await readMarks(way, account, signal),
  }
}

const cardSchemes = ['visa', 'mastercard', 'amex'] as const
const wallets = ['apple_pay', 'google_pay'] as const

/** From the configuration that sessions use when they name none, which is how we open them. */
async function readMarks(way: StripeWay, account: Account, signal: AbortSignal): Promise<MethodMark[]> {
  const listed = await ask(way, account, signal, (stripe) =>
    stripe.paymentMethodConfigurations.list({ limit: 100 }),
  )
  // A restricted key may lack the right to see them: then the buttons have words alone.
  const used = listed.kind === 'ok' ? listed.value.data.find(isUsed) : undefined
  if (!used || !isOn(used.card)) return []
  return [...cardSchemes, ...wallets.filter((wallet) => isOn(used[wallet]))]
}

function isUsed({ is_default, active, application }: Stripe.PaymentMethodConfiguration): boolean {
  return is_default && active && application === null
}

function isOn(method: { available: boolean; display_preference: { value: string } } | undefined): boolean {
  return method?.available === true && method.display_preference.value === 'on'
}

async function readCallbacks(
  way: StripeWay,
  account: Account,
  callbackUrl: string,
  signal: AbortSignal,
): Promise<'set_up' | 'missing' | 'unknown'> {
  // Without its secret no callback of an endpoint could be verified.
  if ((account.credentials['webhook_secret'] ?? '') === '') return 'missing'
  // Stripe takes 16 endpoints of an account at most, so that one page has all of them.
  const listed = await ask(way, account, signal, (stripe) => stripe.webhookEndpoints.list({ limit: 100 }))
  // A restricted key may lack the right to see them.
  if (listed.kind === 'refused') return 'unknown'
  const isThere = listed.value.data.some(
    ({ url, status, enabled_events }) =>
      url === callbackUrl &&
      status === 'enabled' &&
      (enabled_events.includes('*') || neededEvents.every((event) => enabled_events.includes(event))),
  )
  return isThere ? 'set_up' : 'missing'
}

/**
 * An endpoint's secret is shown only once, so an existing endpoint is replaced: the new one is created first, so that
 * nothing is missed.
 */
export async function setUpCallback(
  way: StripeWay,
  account: Account,
  callbackUrl: string,
  signal: AbortSignal,
): Promise<Account['credentials']> {
  const before = valueOf(
    await ask(way, account, signal, (stripe) => stripe.webhookEndpoints.list({ limit: 100 })),
  )
  const made = valueOf(
    await ask(way, account, signal, (stripe) =>
      stripe.webhookEndpoints.create({
        url: callbackUrl,
        description: 'Florin',
        enabled_events: callbackEvents as never,
      }),
    ),
  )
  for (const { id, url } of before.data) {
    if (url === callbackUrl) await ask(way, account, signal, (stripe) => stripe.webhookEndpoints.del(id))
  }
  return { webhook_secret: made.secret ?? '' }
}
