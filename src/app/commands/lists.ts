import type { Database } from '../../platform/database/database.ts'
import type { Lists } from '../../cli/terminal/command.ts'

/** For commands: what all modules have of a kind. */
export const lists: Lists = {
  networks: async () => (await import('../networks.ts')).makeNetworks,
  personal: async (db) => (await roomsOf(db)).personalRooms,
  sealed: async (db) => (await roomsOf(db)).sealedRooms,
  events: async () => (await import('../modules.ts')).events,
  recounts: async () => (await import('../modules.ts')).recounts,
}

async function roomsOf(db: Database) {
  const { refuseLeftOut } = await import('../left-out.ts')
  await refuseLeftOut(db)
  return import('../rooms.ts')
}
