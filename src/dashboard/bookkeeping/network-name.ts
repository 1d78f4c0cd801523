import type { Ask } from '../ask.ts'

/** As people know it: `Stripe`. */
export function networkName({ dashboard }: Pick<Ask, 'dashboard'>, connector: string): string {
  return dashboard.live.networks.find(({ name }) => name === connector)?.label ?? connector
}
