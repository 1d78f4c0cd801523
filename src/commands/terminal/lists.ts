import type { Lists } from './command.ts'

/** For commands: what all modules have of a kind. */
export const lists: Lists = {
  networks: async () => (await import('../../server/networks.ts')).makeNetworks,
  personal: async () => (await import('../../server/rooms.ts')).personalRooms,
  sealed: async () => (await import('../../server/rooms.ts')).sealedRooms,
  events: async () => (await import('../../server/modules.ts')).events,
  recounts: async () => (await import('../../server/modules.ts')).recounts,
}
