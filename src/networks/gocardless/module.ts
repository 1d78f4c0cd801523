import type { Module } from '../../modules/module.ts'
import { scopeOf } from '../../platform/outbound/scope-of.ts'
import { goCardlessApis, makeGoCardless } from './gocardless.ts'

export const goCardless: Module = {
  name: 'gocardless',
  network: ({ GOCARDLESS_URL: url }, outbound, now) =>
    makeGoCardless({
      outbound,
      now,
      apis: url === '' ? goCardlessApis : { live: url, sandbox: url },
      scope: scopeOf(url),
    }),
}
