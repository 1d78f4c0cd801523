import type { HostedConnector } from '../core/networks/hosted.ts'
import type { Module, NetworkSettings } from '../modules/module.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { allModules } from './modules.ts'

/** The networks that live payments can go through, for the server and for commands. */
export function makeNetworks(
  settings: NetworkSettings,
  outbound: Outbound,
  now: () => Date = () => new Date(),
  modules: readonly Module[] = allModules,
): readonly HostedConnector[] {
  return modules.flatMap(({ network }) => network?.(settings, outbound, now) ?? [])
}
