import type { Config } from '../../platform/settings/config.ts'
import type { HostedConnector } from '../../core/networks/hosted.ts'
import { makeOutbound, type Outbound } from '../../platform/outbound/outbound.ts'
import { UsageMistake } from '../terminal/arguments.ts'

export type Networks = readonly HostedConnector[]

export type MakeNetworks = (config: Config, outbound: Outbound) => Networks
export type NetworkList = { readonly networks: () => Promise<MakeNetworks> }

/** Runs `work` with a way out, which is closed afterwards. */
export async function withNetworks<T>(
  config: Config,
  { networks }: NetworkList,
  work: (networks: Networks) => Promise<T>,
): Promise<T> {
  const makeNetworks = await networks()
  const outbound = makeOutbound()
  try {
    return await work(makeNetworks(config, outbound))
  } finally {
    await outbound.close()
  }
}

export function findNetwork(networks: Networks, name: string | undefined): HostedConnector {
  const found = networks.find((network) => network.name === name)
  if (found) return found
  // Without the word that was given: it may be a key, in the wrong place.
  throw new UsageMistake(`Name a network: ${networks.map((network) => network.name).join(' or ')}`)
}
