import type { Database } from '../database/database.ts'
import { keyIdOf, type Place, type Secrets } from './secrets.ts'

// Sealing what is there: plain secrets of before once, at a start; and everything under a new key, when keys are rotated.
// Each row is a statement of its own that changes nothing unless the row is still as it was read: it may stop anywhere,
// run again, and run on several servers at once.

/** What a module declares about its secrets. `Row` is whatever its store reads and writes. */
export type SealedRows<Row> = {
  /** As a person would call them, in the plural. */
  readonly what: string
  /**
   * Merchants after this number, in order, with something that is plain or, when `keyId` is given, not under that key.
   * Rooms whose rows belong to no merchant answer [0] when `after` is negative.
   */
  findOwners(db: Database, after: number, keyId: string | undefined): Promise<readonly number[]>
  list(db: Database, owner: number): Promise<readonly Row[]>
  stored(
    row: Row,
    owner: number,
  ): { readonly place: Place; readonly plain: Buffer | null; readonly sealed: Buffer | null }
  /** False when the row is no longer what was read. */
  replace(db: Database, row: Row, sealed: Buffer, owner: number): Promise<boolean>
}

export type Sealings = {
  readonly what: string
  /** How many are sealed under which key, by its id; 'plain' for none. */
  readonly byKey: ReadonlyMap<string, number>
}

/** Seals what is plain; returns how many. */
export async function sealPlain(
  db: Database,
  secrets: Secrets,
  rooms: readonly SealedRows<unknown>[],
): Promise<number> {
  return sealAnew(db, secrets, rooms, false)
}

/** Seals everything that is not sealed under the current key; returns how many. What no key of ours opens is left. */
export async function resealAll(
  db: Database,
  secrets: Secrets,
  rooms: readonly SealedRows<unknown>[],
): Promise<number> {
  return sealAnew(db, secrets, rooms, true)
}

async function sealAnew(
  db: Database,
  secrets: Secrets,
  rooms: readonly SealedRows<unknown>[],
  alsoSealed: boolean,
): Promise<number> {
  let count = 0
  for (const room of rooms) {
    for await (const owner of ownersOf(db, room, alsoSealed ? secrets.keyId : undefined)) {
      for (const row of await room.list(db, owner)) {
        const { place, plain, sealed } = room.stored(row, owner)
        const text = plain ?? (alsoSealed ? openOld(secrets, place, sealed) : undefined)
        if (text && (await room.replace(db, row, secrets.seal(place, text), owner))) count += 1
      }
    }
  }
  return count
}

function openOld(secrets: Secrets, place: Place, sealed: Buffer | null): Buffer | undefined {
  const keyId = sealed === null ? undefined : keyIdOf(sealed)
  if (sealed === null || keyId === undefined || keyId === secrets.keyId) return undefined
  return secrets.keyIds.includes(keyId) ? secrets.open(place, sealed) : undefined
}

async function* ownersOf(
  db: Database,
  room: SealedRows<unknown>,
  keyId: string | undefined,
): AsyncGenerator<number> {
  let after = -1
  for (;;) {
    const owners = await room.findOwners(db, after, keyId)
    const last = owners.at(-1)
    if (last === undefined) return
    yield* owners
    after = last
  }
}

/** How many values are sealed under which key, for the operator. Reads every sealed value, and opens none. */
export async function countSealings(
  db: Database,
  rooms: readonly SealedRows<unknown>[],
): Promise<Sealings[]> {
  const found: Sealings[] = []
  for (const room of rooms) {
    const byKey = new Map<string, number>()
    for await (const owner of ownersOf(db, room, '')) {
      for (const row of await room.list(db, owner)) {
        const { plain, sealed } = room.stored(row, owner)
        const key = plain === null ? ((sealed && keyIdOf(sealed)) ?? 'unreadable') : 'plain'
        byKey.set(key, (byKey.get(key) ?? 0) + 1)
      }
    }
    found.push({ what: room.what, byKey })
  }
  return found
}
