import type { FastifyRequest } from 'fastify'
import { chooseLanguage } from './language.ts'
import type { Setting } from './page-model.ts'

/** What a page needs to know even when there is no payment to show. */
export function readSetting(prefix: string, request: FastifyRequest): Setting {
  const { lang } = request.query as { lang?: unknown }
  return { ...chooseLanguage(lang, request.headers['accept-language']), prefix }
}
