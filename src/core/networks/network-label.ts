import type { HostedConnector } from './hosted.ts'

const ofTestMode: ReadonlyMap<string, string> = new Map([
  ['test-network', 'Test network'],
  ['test-bank', 'Test bank'],
])

/** A network as people write it: `GoCardless`. */
export function networkLabel(
  networks: readonly Pick<HostedConnector, 'name' | 'label'>[],
  connector: string,
): string {
  return ofTestMode.get(connector) ?? networks.find(({ name }) => name === connector)?.label ?? connector
}
