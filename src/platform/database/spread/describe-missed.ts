import type { Missed } from './nodes.ts'

/** For lists over all merchants, which leave out those of a node that is away. */
export function describeMissed({ nodes, shards, of }: Missed): string {
  const names = `Cluster ${nodes.length === 1 ? 'node' : 'nodes'} ${nodes.join(', ')}`
  return `${names} can't be reached right now: merchants in ${shards} of ${of} shards can't be read and are missing here.`
}
