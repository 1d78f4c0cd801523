import type { Config } from '../../settings/config.ts'
import type { HostedConnector } from '../../connectors/hosted.ts'
import { UsageMistake } from '../terminal/arguments.ts'

export type Networks = readonly HostedConnector[]

/** Runs `work` with a way out, which is closed afterwards. Loaded here: `florin merchant list` calls no network. */
export async function withNetworks<T>(config: Config, work: (networks: Networks) => Promise<T>): Promise<T> {
  const { makeOutbound } = await import('../../outbound/outbound.ts')
  const { makeNetworks } = await import('../../server/networks.ts')
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
