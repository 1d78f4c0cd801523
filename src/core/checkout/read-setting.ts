import type { FastifyRequest } from 'fastify'
import { chooseLanguage, offeredLanguages } from './language.ts'
import type { Setting, Shop } from './page-model.ts'

/** What a page needs even without a payment to show. `shop`: the page's shop, if known. */
export function readSetting(
  { prefix, styleFile }: Pick<Setting, 'prefix' | 'styleFile'>,
  request: FastifyRequest,
  shop: Shop | undefined,
): Setting {
  const { lang } = request.query as { lang?: unknown }
  const offered = offeredLanguages(shop?.brand.languages ?? [])
  return {
    ...chooseLanguage(lang, request.headers['accept-language'], offered),
    prefix,
    styleFile,
    ...(shop && { shop }),
  }
}
