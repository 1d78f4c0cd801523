import type { Ask } from './ask.ts'

const testNetworks: Readonly<Record<string, string>> = {
  'test-network': 'Test network',
  'test-bank': 'Test bank',
}

/** As people know it: `Stripe`. */
export function networkName({ dashboard }: Pick<Ask, 'dashboard'>, connector: string): string {
  const ofTestMode = testNetworks[connector]
  if (ofTestMode !== undefined) return ofTestMode
  return dashboard.live.networks.find(({ name }) => name === connector)?.label ?? connector
}
