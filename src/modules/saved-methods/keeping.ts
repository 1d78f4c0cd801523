import type { Core } from '../../platform/jobs/core.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'

/** What this module needs, put together once per process. */
export type MethodKeeping = Core & {
  readonly secrets: Secrets
  readonly paying: Paying
}

export type MethodKey = { readonly merchantId: number; readonly id: string }

/** One merchant's methods of one mode. */
export type MethodScope = { readonly merchantId: number; readonly mode: Mode }
