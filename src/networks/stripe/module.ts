import type { Module } from '../../modules/module.ts'
import { scopeOf } from '../../platform/outbound/scope-of.ts'
import { makeStripe, stripeApi } from './stripe.ts'

export const stripe: Module = {
  name: 'stripe',
  network: ({ STRIPE_URL: url }, outbound, now) =>
    makeStripe({ outbound, now, api: url || stripeApi, scope: scopeOf(url) }),
}
