import { networkLabel } from '../core/networks/network-label.ts'
import type { Ask } from './ask.ts'

/** As people write it: `Stripe`. */
export function networkName({ dashboard }: Pick<Ask, 'dashboard'>, connector: string): string {
  return networkLabel(dashboard.live.networks, connector)
}
