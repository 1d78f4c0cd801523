import type { Module } from '../../modules/module.ts'
import { scopeOf } from '../../platform/outbound/scope-of.ts'
import { makePaystack, paystackApi } from './paystack.ts'

export const paystack: Module = {
  name: 'paystack',
  network: ({ PAYSTACK_URL: url }, outbound, now) =>
    makePaystack({ outbound, now, api: url || paystackApi, scope: scopeOf(url) }),
}
