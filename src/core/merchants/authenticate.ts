import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import type { Listener } from '../../platform/database/listen.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { noteCaller, type KnownCaller } from '../../platform/http/note-answer.ts'
import { brandOf, type Brand } from './brand/brand.ts'
import { findBrand } from './brand/brand-store.ts'
import { boundsOf, type FormBounds } from './form-bounds.ts'
import { hashKey, readKey, type Dialect, type KeyKind } from './key-format.ts'
import { makeMemory } from './memory.ts'
import { RefusedKey, WrongKey, type WrongKeys } from './wrong-keys.ts'
import { findKeyByHash, findMerchant, listFees, touchKeys, type CurrencyRow, type KeyRow } from './store.ts'
import type { Mode } from './mode.ts'

// Key → merchant and mode. A hot key costs no query (memory.ts).

export type Merchant = {
  readonly id: number
  readonly name: string
  /** Where alerts to the merchant are sent. */
  readonly email: string | null
  readonly liveEnabled: boolean
  /** By an operator: keys are refused, and nothing new is paid. */
  readonly isSuspended: boolean
  readonly feeBasisPoints: number
  readonly formsTakeSecretKeys: boolean
  /** Whether the fee of a refund is returned to the merchant. */
  readonly refundFees: boolean
  /** How long a new payment can be paid. */
  readonly payWithinMinutes: number
  /** How long its team's dashboard sessions last without use. */
  readonly idleMinutes: number
  readonly brand: Brand
  /** Currencies switched on, each with the fixed part of the fee in minor units. */
  readonly currencies: ReadonlyMap<string, bigint>
  /** Disabled currencies, with the fee they keep. */
  readonly currenciesOff: ReadonlyMap<string, bigint>
}

export type Authenticated = {
  readonly merchant: Merchant
  readonly keyId: string
  readonly keyName: string
  readonly kind: KeyKind
  /** Undefined for API keys: projects have no mode. */
  readonly mode: Mode | undefined
  readonly bounds: FormBounds | undefined
  /** The secret its forms must be signed with (form-secret.ts); undefined for a key that takes unsigned forms. */
  readonly sealedFormSecret: Buffer | undefined
  readonly exposed: boolean
  /** Some keys can do all but give money back. */
  readonly mayRefund: boolean
  readonly dialect: Dialect
}

/** Whoever asks with a key that has a mode. */
export type Caller = Authenticated & { readonly mode: Mode }

export type Authenticator = {
  /** Group A: `Authorization: Bearer sk_…`. */
  secretKey(header: string | undefined): Promise<Caller>
  /** Group B: `Authorization: Bearer ak_…`. */
  apiKey(header: string | undefined): Promise<Authenticated>
  /** Either of them: of who asks whose key it is. */
  anyKey(header: string | undefined): Promise<Authenticated>
  /** As secretKey and apiKey, at once, for a key that was used a moment ago; undefined when it has to be looked up. */
  recallSecretKey(header: string | undefined): Caller | undefined
  recallApiKey(header: string | undefined): Authenticated | undefined
  /**
   * The web form's secret_key field: a secret key or a form key. Plugins of the family call a form key `publicKey`: only a
   * key of their dialect is taken under that name.
   */
  formKey(text: string | undefined, publicKey?: string): Promise<Caller>
  /**
   * What to answer instead of one of these errors: many wrong keys from one address have to wait. Calls with a revoked
   * key are in the request log of its merchant.
   */
  refused(error: unknown, request: FastifyRequest): unknown
  /** Writes when each key was last used; called now and then, and once before the server ends. */
  flush(): Promise<void>
}

/** Also one that has ended: then it is known whose it was. */
type KnownKey = { readonly found: Authenticated; readonly endsAtMs: number }

const challenge = { 'www-authenticate': 'Bearer' }

export function makeAuthenticator(
  db: Database,
  listener: Listener,
  now: () => number = Date.now,
  wrongKeys?: WrongKeys,
): Authenticator {
  const memory = makeMemory<KnownKey>(listener, now)
  const used = new Map<string, Authenticated>()

  async function authenticate(
    text: string,
    kinds: readonly KeyKind[],
    refusal: string,
  ): Promise<Authenticated> {
    const hash = hashKey(text)
    return admit(memory.recall(hash) ?? (await find(text, hash)), kinds, refusal)
  }

  function recall(text: string, kinds: readonly KeyKind[], refusal: string): Authenticated | undefined {
    const known = memory.recall(hashKey(text))
    return known && admit(known, kinds, refusal)
  }

  function admit(known: KnownKey | undefined, kinds: readonly KeyKind[], refusal: string): Authenticated {
    if (!known || known.endsAtMs <= now()) throw wrongKey(known, refusal)
    const { found } = known
    if (!kinds.includes(found.kind)) throw wrongKey(known, `${refusal}: ${otherKind(found.kind, kinds)}`)
    const { isSuspended, liveEnabled } = found.merchant
    if (isSuspended) throw new RefusedKey('merchant_suspended', turnedAway(known))
    if (found.mode === 'live' && !liveEnabled) throw new RefusedKey('live_not_enabled', turnedAway(known))
    used.set(found.keyId, found)
    return found
  }

  async function find(text: string, hash: string): Promise<KnownKey | undefined> {
    const parts = readKey(text)
    return parts && memory.find(parts.merchantId, hash, () => readKnownKey(db, parts.merchantId, hash))
  }

  return {
    async secretKey(header) {
      return (await authenticate(bearer(header), ['secret'], 'Invalid secret key')) as Caller
    },
    async apiKey(header) {
      return authenticate(bearer(header), ['api'], 'Invalid API key')
    },
    async anyKey(header) {
      return authenticate(bearer(header), ['secret', 'api'], 'Invalid secret key')
    },
    recallSecretKey(header) {
      return recall(bearer(header), ['secret'], 'Invalid secret key') as Caller | undefined
    },
    recallApiKey(header) {
      return recall(bearer(header), ['api'], 'Invalid API key')
    },
    async formKey(text, publicKey) {
      if (text) return (await authenticate(text, ['secret', 'form'], 'Invalid secret key')) as Caller
      return familyCaller(publicKey, authenticate)
    },
    refused(error, request) {
      if (error instanceof RefusedKey && error.owner) noteCaller(request, error.owner)
      return wrongKeys?.refused(error, request.ip) ?? error
    },
    async flush() {
      const keys = [...used.values()]
      used.clear()
      await writeUse(db, keys)
    },
  }
}

type Authenticate = (text: string, kinds: readonly KeyKind[], refusal: string) => Promise<Authenticated>

async function familyCaller(publicKey: string | undefined, authenticate: Authenticate): Promise<Caller> {
  const found = publicKey ? await authenticate(publicKey, ['form'], 'Invalid public key') : undefined
  if (found?.dialect !== 'family') throw unauthorized('secret_key is required')
  return found as Caller
}

/** Merchant by merchant: where one can't be written, the others are. */
async function writeUse(db: Database, used: readonly Authenticated[]): Promise<void> {
  const failures: unknown[] = []
  for (const [merchantId, keys] of Map.groupBy(used, ({ merchant }) => merchant.id)) {
    await touchKeys(
      db,
      merchantId,
      keys.map(({ keyId }) => keyId),
    ).catch((error: unknown) => failures.push(error))
    // A database that is away: a server that ends must not wait for it once for each merchant.
    if (failures.length >= useFailuresMax) break
  }
  if (failures.length > 0) throw failures[0]
}

const useFailuresMax = 3

async function readKnownKey(db: Database, merchantId: number, hash: string): Promise<KnownKey | undefined> {
  const key = await findKeyByHash(db, merchantId, Buffer.from(hash, 'hex'))
  const merchant = key && (await readMerchant(db, merchantId))
  return merchant && { found: authenticated(key, merchant), endsAtMs: endOf(key) }
}

/** A revoked one ended at once, whatever the clock of this machine says. */
function endOf({ revoked_at: revoked, ends_at: ends }: KeyRow): number {
  if (revoked !== null) return -Infinity
  return ends === null ? Infinity : Date.parse(ends)
}

function wrongKey(known: KnownKey | undefined, message: string): WrongKey {
  return new WrongKey('unauthorized', turnedAway(known), message, { headers: challenge })
}

const kindNames: Readonly<Record<KeyKind, string>> = {
  secret: 'a secret key (sk_…)',
  form: 'a form key (fk_…)',
  api: 'an API key (ak_…)',
}

/** Told to who has the whole key, so it gives nothing away. */
function otherKind(kind: KeyKind, needed: readonly KeyKind[]): string {
  return `this is ${kindNames[kind]}, use ${needed.map((one) => kindNames[one]).join(' or ')}`
}

function turnedAway(known: KnownKey | undefined): KnownCaller | undefined {
  return known && { ...ownerOf(known.found), isTurnedAway: true }
}

/** For the logs. */
export function ownerOf({ keyId, merchant, mode }: Authenticated): KnownCaller {
  return { keyId, merchantId: merchant.id, mode }
}

/** Authenticates a key once: for commands, which have no cache to keep up to date. */
export async function lookUpKey(db: Database, text: string): Promise<Authenticated | undefined> {
  const parts = readKey(text)
  const known = parts && (await readKnownKey(db, parts.merchantId, hashKey(text)))
  return known && known.endsAtMs > Date.now() ? known.found : undefined
}

export type FindMerchant = (merchantId: number) => Promise<Merchant | undefined>

/** As readMerchant, without a query for a merchant that was asked for a moment ago. */
export function makeFindMerchant(
  db: Database,
  listener: Listener,
  now: () => number = Date.now,
): FindMerchant {
  const memory = makeMemory<Merchant>(listener, now)
  return async (merchantId) => {
    const name = String(merchantId)
    return memory.recall(name) ?? memory.find(merchantId, name, () => readMerchant(db, merchantId))
  }
}

export async function readMerchant(db: Database, merchantId: number): Promise<Merchant | undefined> {
  const row = await findMerchant(db, merchantId)
  if (!row) return undefined
  const [currencies, brand] = await Promise.all([listFees(db, merchantId), findBrand(db, merchantId)])
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    liveEnabled: row.live_enabled,
    isSuspended: row.suspended_at !== null,
    feeBasisPoints: row.fee_basis_points,
    formsTakeSecretKeys: row.forms_take_secret_keys,
    refundFees: row.refund_fees,
    payWithinMinutes: row.pay_within_minutes,
    idleMinutes: row.idle_minutes,
    brand: brandOf(brand),
    currencies: feesOf(currencies.filter(({ is_on }) => is_on)),
    currenciesOff: feesOf(currencies.filter(({ is_on }) => !is_on)),
  }
}

function feesOf(rows: readonly CurrencyRow[]): ReadonlyMap<string, bigint> {
  return new Map(rows.map(({ currency, fee_fixed_minor }) => [currency, fee_fixed_minor]))
}

function authenticated(key: KeyRow, merchant: Merchant): Authenticated {
  return {
    merchant,
    keyId: key.id,
    keyName: key.name,
    kind: key.kind,
    mode: key.mode ?? undefined,
    exposed: key.exposed_at !== null,
    mayRefund: key.may_refund,
    dialect: key.dialect,
    bounds: boundsOf(key),
    sealedFormSecret: key.form_secret ?? undefined,
  }
}

function bearer(header: string | undefined): string {
  const match = /^Bearer +(\S+) *$/i.exec(header ?? '')
  if (match?.[1]) return match[1]
  const hasNoKey = /^(?:Bearer)?\s*$/i.test(header ?? '')
  throw unauthorized(
    hasNoKey ? 'Authorization is required' : 'Authorization must be Bearer followed by your key',
  )
}

function unauthorized(message: string): Refusal {
  return new Refusal('unauthorized', message, { headers: challenge })
}
