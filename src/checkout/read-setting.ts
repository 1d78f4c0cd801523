import type { FastifyRequest } from 'fastify'
import { chooseLanguage, offeredLanguages } from './language.ts'
import type { Setting, Shop } from './page-model.ts'

/** What a page needs to know even when there is no payment to show. `shop`: whose page it is, where that is known. */
export function readSetting(prefix: string, request: FastifyRequest, shop: Shop | undefined): Setting {
  const { lang } = request.query as { lang?: unknown }
  const offered = offeredLanguages(shop?.brand.languages ?? [])
  return {
    ...chooseLanguage(lang, request.headers['accept-language'], offered),
    prefix,
    ...(shop && { shop }),
  }
}
