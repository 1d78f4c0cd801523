import type { Merchant } from '../../src/core/merchants/authenticate.ts'
import { plainBrand } from '../../src/core/merchants/brand/brand.ts'

/** A merchant as it is found by a key, with one currency and nothing of its own. */
export function cornerShop(changes: Partial<Merchant> = {}): Merchant {
  return {
    id: 1,
    name: 'Corner shop',
    email: null,
    liveEnabled: false,
    isSuspended: false,
    feeBasisPoints: 140,
    formsTakeSecretKeys: true,
    refundFees: false,
    payWithinMinutes: 1_440,
    idleMinutes: 720,
    brand: plainBrand,
    currencies: new Map([['GBP', 20n]]),
    currenciesOff: new Map(),
    ...changes,
  }
}
