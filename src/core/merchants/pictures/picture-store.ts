import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

// The table pictures.

export type PictureRow = {
  readonly type: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

export type PictureState = {
  readonly refused_for: string | null
  /** Refused long ago: it may have been fixed since. */
  readonly is_old: boolean
}

export async function findPicture(
  db: Queryable,
  merchantId: number,
  id: string,
): Promise<PictureRow | undefined> {
  const rows = await db.query<PictureRow>(sql`
    select type, width, height, bytes from pictures
    where merchant_id = ${merchantId} and id = ${id} and bytes is not null`)
  return rows[0]
}

export async function findPictureState(
  db: Queryable,
  merchantId: number,
  id: string,
): Promise<PictureState | undefined> {
  // No test of "<": no test can hit that microsecond
  const rows = await db.query<PictureState>(sql`
    select refused_for, fetched_at < now() - interval '1 hour' as is_old
    from pictures where merchant_id = ${merchantId} and id = ${id}`)
  return rows[0]
}

type NewPicture = { readonly id: string; readonly source: string | null } & (
  | { readonly picture: PictureRow }
  | { readonly refusedFor: string }
)

/** An existing one stays unchanged: browsers cache it for ever under its URL. */
export async function insertPicture(db: Queryable, merchantId: number, made: NewPicture): Promise<void> {
  const picture = 'picture' in made ? made.picture : undefined
  const refusedFor = 'refusedFor' in made ? made.refusedFor : null
  await db.query(sql`
    insert into pictures (merchant_id, id, source, type, width, height, bytes, refused_for)
    values (${merchantId}, ${made.id}, ${made.source}, ${picture?.type ?? null}, ${picture?.width ?? null},
      ${picture?.height ?? null}, ${picture?.bytes ?? null}, ${refusedFor})
    on conflict (merchant_id, id) do update set type = excluded.type, width = excluded.width, height = excluded.height,
      bytes = excluded.bytes, refused_for = excluded.refused_for, fetched_at = excluded.fetched_at
    where pictures.bytes is null`)
}

/** The oldest fetched pictures beyond `keep`. */
export async function deleteOldPictures(db: Queryable, merchantId: number, keep: number): Promise<void> {
  // No test of "source is not null": only such pictures have these ids
  await db.query(sql`
    delete from pictures
    where merchant_id = ${merchantId} and source is not null and id in (
      select id from pictures where merchant_id = ${merchantId} and source is not null
      order by fetched_at desc offset ${keep})`)
}

export async function deletePictures(
  tx: Transaction,
  merchantId: number,
  ids: readonly string[],
): Promise<void> {
  await tx.query(sql`delete from pictures where merchant_id = ${merchantId} and id = any(${ids}::text[])`)
}
