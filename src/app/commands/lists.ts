import type { Lists } from '../../cli/terminal/command.ts'

/** For commands: what all modules have of a kind. */
export const lists: Lists = {
  networks: async () => (await import('../networks.ts')).makeNetworks,
  personal: async () => (await import('../rooms.ts')).personalRooms,
  sealed: async () => (await import('../rooms.ts')).sealedRooms,
  events: async () => (await import('../modules.ts')).events,
  recounts: async () => (await import('../modules.ts')).recounts,
}
