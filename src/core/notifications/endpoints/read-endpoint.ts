import { Fields } from '../../../platform/input/fields.ts'
import { urlLengthMax, urlMistake } from '../../../platform/input/url.ts'
import type { Mode } from '../../merchants/mode.ts'
import { allEvents } from './find-endpoints.ts'

export type EndpointRequest = {
  readonly url: string
  readonly description: string
  /** Null: all. */
  readonly events: readonly string[] | null
}

const descriptionMax = 255

/** `known`: the names of all events. */
export function readEndpoint(body: unknown, mode: Mode, known: readonly string[]): EndpointRequest {
  const fields = new Fields(body)
  const url = fields.value('url') === undefined ? fields.fail('url', 'is required') : readUrl(fields, mode)
  const description = fields.text('description', { max: descriptionMax }) ?? ''
  const events = readEvents(fields, known)
  fields.check()
  return { url: url ?? '', description, events }
}

/** Only sent fields are changed. An empty description, and no events, are set by sending them. */
export function readEndpointChanges(
  body: unknown,
  mode: Mode,
  known: readonly string[],
): Partial<EndpointRequest> {
  const fields = new Fields(body)
  const sent = new Set(Object.keys(body as object))
  const url = fields.value('url') === undefined ? undefined : readUrl(fields, mode)
  const description = fields.text('description', { max: descriptionMax }) ?? ''
  const events = readEvents(fields, known)
  fields.check()
  return {
    ...(url !== undefined && { url }),
    ...(sent.has('description') && { description }),
    ...(sent.has('events') && { events }),
  }
}

/** As it will be called, so that one URL in two spellings is one endpoint. */
function readUrl(fields: Fields, mode: Mode): string | undefined {
  const text = fields.text('url', { max: urlLengthMax })
  if (text === undefined) return undefined
  const mistake = urlMistake(text, { httpsOnly: mode === 'live' })
  if (mistake !== undefined) return fields.fail('url', mistake)
  const url = new URL(text)
  url.hash = ''
  return url.href.length > urlLengthMax
    ? fields.fail('url', `must be at most ${urlLengthMax.toLocaleString('en')} characters, encoded`)
    : url.href
}

export function readEvents(fields: Fields, known: readonly string[]): readonly string[] | null {
  const value = fields.value('events')
  if (value === undefined) return null
  const given: unknown[] = Array.isArray(value) ? value : [value]
  if (given.includes(allEvents)) return null
  const isKnown = given.every((event) => known.some((one) => one === event))
  if (!isKnown) fields.fail('events', `must be a list of ${known.join(', ')}; leave it out for all`)
  return known.filter((event) => given.includes(event))
}
