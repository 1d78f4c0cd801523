import type { Module } from '../../modules/module.ts'
import { scopeOf } from '../../platform/outbound/scope-of.ts'
import { makePayPal, payPalHosts } from './paypal.ts'

export const payPal: Module = {
  name: 'paypal',
  network({ PAYPAL_URL: url }, outbound, now) {
    const one = { live: url, sandbox: url }
    const hosts = url === '' ? payPalHosts : { apis: one, certificates: one }
    return makePayPal({ outbound, now, ...hosts, scope: scopeOf(url) })
  },
}
