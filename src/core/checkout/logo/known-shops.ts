import type { FastifyRequest } from 'fastify'
import type { Merchant } from '../../merchants/authenticate.ts'
import type { Shop } from '../page-model.ts'

// The merchant of a request, for the error page it may end on. Only once the payment or link is known to exist: a
// made-up URL must not reveal which merchants there are.

export type KnownShops = {
  /** `find`: for who knows whose it is before anything was read. */
  note(request: FastifyRequest, shop: Shop | FindShop): void
  of(request: FastifyRequest): Promise<Shop | undefined>
}

type FindShop = () => Promise<Shop | undefined>

// The database may be what broke: an error page does not wait for it once more.
const findLimitMs = 300

export function makeKnownShops(): KnownShops {
  const noted = new WeakMap<FastifyRequest, Shop | FindShop>()
  return {
    note: (request, shop) => void noted.set(request, shop),
    async of(request) {
      const shop = noted.get(request)
      return typeof shop === 'function' ? soon(shop) : shop
    },
  }
}

async function soon(find: FindShop): Promise<Shop | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), findLimitMs)
  try {
    return await Promise.race([find().catch(() => undefined), late])
  } finally {
    clearTimeout(timer) // No test: the timer would end a wait that is already over
  }
}

/** The merchant's page, for a payment without its own logo. */
export function shopOfMerchant(
  prefix: string,
  { id, name, brand }: Pick<Merchant, 'id' | 'name' | 'brand'>,
): Shop {
  const shop = { name, brand }
  return brand.logoId === undefined ? shop : { ...shop, logo: `${prefix}/logo/${id}/${brand.logoId}` }
}
