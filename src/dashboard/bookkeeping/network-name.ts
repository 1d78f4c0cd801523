import type { Ask } from '../ask.ts'

/** As people know it: `Stripe`. */
export function networkName({ dashboard }: Pick<Ask, 'dashboard'>, connector: string): string {
  if (connector === 'test-network') return 'Test network'
  return dashboard.live.networks.find(({ name }) => name === connector)?.label ?? connector
}
