import { createHash } from 'node:crypto'
import type { Database, Transaction } from '../../../platform/database/database.ts'
import type { Listener } from '../../../platform/database/listen.ts'
import { makeRateLimit } from '../../../platform/http/rate-limit.ts'
import type { Outbound, OutboundScope } from '../../../platform/outbound/outbound.ts'
import { makeMemory } from '../memory.ts'
import { checkPicture, pictureBytesMax, type Checked } from './check-picture.ts'
import {
  deletePictures,
  deleteOldPictures,
  findPicture,
  findPictureState,
  insertPicture,
  type PictureRow,
} from './picture-store.ts'

// Pictures on a page are served by us: a customer's browser calls no server but ours, and the picture can't be changed
// afterwards. A payment's own logo is fetched once, when the first customer's browser requests it, never while the
// payment is created.

export type Picture = PictureRow

export type Pictures = {
  /** The state of the picture at this URL. `unknown`: it will be fetched when requested. */
  look(merchantId: number, source: string): Promise<PictureKnown>
  /** Fetches it unless it is there; undefined when it is refused. */
  fetched(merchantId: number, source: string, scope: OutboundScope): Promise<Picture | undefined>
  byId(merchantId: number, id: string): Promise<Picture | undefined>
}

export type PictureKnown = 'there' | 'refused' | 'unknown'

export const fetchTimeoutMs = 5_000
/** Pictures of payments; older ones are fetched again on request. */
export const picturesMax = 100
// New addresses of one merchant: a shop has a few logos, and a flood of them must not become a flood of calls.
const fetchLimit = { perSecond: 0.2, burst: 20 }
const fetchesMax = 8

export function makePictures(
  db: Database,
  listener: Listener,
  outbound: Pick<Outbound, 'send'>,
  now: () => number = Date.now,
): Pictures {
  const known = makeMemory<PictureKnown>(listener, now)
  const pictures = makeMemory<Picture>(listener, now)
  const limit = makeRateLimit(fetchLimit, now)
  const running = new Map<string, Promise<Picture | undefined>>()

  async function byId(merchantId: number, id: string): Promise<Picture | undefined> {
    const name = `${merchantId} ${id}`
    return pictures.recall(name) ?? pictures.find(merchantId, name, () => findPicture(db, merchantId, id))
  }

  async function look(merchantId: number, source: string): Promise<PictureKnown> {
    const id = pictureIdOf(source)
    const name = `${merchantId} ${id}`
    const read = async (): Promise<PictureKnown | undefined> => {
      const state = await findPictureState(db, merchantId, id)
      if (!state || (state.refused_for !== null && state.is_old)) return undefined
      return state.refused_for === null ? 'there' : 'refused'
    }
    return known.recall(name) ?? (await known.find(merchantId, name, read)) ?? 'unknown'
  }

  async function fetchNow(
    merchantId: number,
    source: string,
    scope: OutboundScope,
  ): Promise<Picture | undefined> {
    const id = pictureIdOf(source)
    const checked = await fetchPicture(outbound, source, scope)
    const made = checked.ok ? { picture: checked.picture } : { refusedFor: checked.rule.slice(0, 200) }
    await deleteOldPictures(db, merchantId, picturesMax - 1)
    await insertPicture(db, merchantId, { id, source, ...made })
    return byId(merchantId, id)
  }

  async function fetched(
    merchantId: number,
    source: string,
    scope: OutboundScope,
  ): Promise<Picture | undefined> {
    const state = await look(merchantId, source)
    if (state !== 'unknown') return state === 'there' ? byId(merchantId, pictureIdOf(source)) : undefined
    const name = `${merchantId} ${pictureIdOf(source)}`
    const begun = running.get(name)
    if (begun) return begun
    if (running.size >= fetchesMax || limit.take(String(merchantId)) !== undefined) return undefined
    const fetching = fetchNow(merchantId, source, scope).finally(() => running.delete(name))
    running.set(name, fetching)
    return fetching
  }

  return { look, fetched, byId }
}

/** For a fetched picture: a hash of its URL, which is all that is known before. */
export function pictureIdOf(source: string): string {
  return createHash('sha256').update(`address ${source}`).digest('hex').slice(0, 32)
}

/** Pictures fetched from these URLs. */
export async function forgetPictures(
  tx: Transaction,
  merchantId: number,
  sources: readonly string[],
): Promise<void> {
  if (sources.length > 0) await deletePictures(tx, merchantId, sources.map(pictureIdOf))
}

/** For an uploaded picture: another picture has another URL, so browsers may cache each for ever. */
export function contentIdOf(picture: Picture): string {
  return createHash('sha256').update(picture.bytes).digest('hex').slice(0, 32)
}

/** One try, through the guarded outbound client: no redirect is followed, and nothing in the answer is trusted. */
export async function fetchPicture(
  outbound: Pick<Outbound, 'send'>,
  source: string,
  scope: OutboundScope,
): Promise<Checked> {
  const result = await outbound.send({
    url: source,
    method: 'GET',
    headers: { accept: 'image/png, image/jpeg', 'user-agent': 'Florin' },
    body: '',
    scope,
    timeoutMs: fetchTimeoutMs,
    signal: new AbortController().signal,
    answerLimitBytes: pictureBytesMax + 1,
  })
  if (result.status === undefined) return { ok: false, rule: `could not be fetched: ${result.error}` }
  if (result.status !== 200) return { ok: false, rule: `could not be fetched: status ${result.status}` }
  return checkPicture(result.answer)
}
