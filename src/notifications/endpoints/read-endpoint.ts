import { Fields } from '../../input/fields.ts'
import { urlLengthMax, urlMistake } from '../../input/url.ts'
import type { Mode } from '../../merchants/mode.ts'
import { ipnEvents } from '../events.ts'
import { allEvents } from './find-endpoints.ts'

export type EndpointRequest = {
  readonly url: string
  readonly description: string
  /** Null: all. */
  readonly events: readonly string[] | null
}

const descriptionMax = 255

export function readEndpoint(body: unknown, mode: Mode): EndpointRequest {
  const fields = new Fields(body)
  const url = fields.value('url') === undefined ? fields.fail('url', 'is required') : readUrl(fields, mode)
  const description = fields.text('description', { max: descriptionMax }) ?? ''
  const events = readEvents(fields)
  fields.check()
  return { url: url ?? '', description, events }
}

/** Only sent fields are changed. An empty description, and no events, are set by sending them. */
export function readEndpointChanges(body: unknown, mode: Mode): Partial<EndpointRequest> {
  const fields = new Fields(body)
  const sent = new Set(Object.keys(body as object))
  const url = fields.value('url') === undefined ? undefined : readUrl(fields, mode)
  const changes = {
    ...(url !== undefined && { url }),
    ...(sent.has('description') && {
      description: fields.text('description', { max: descriptionMax }) ?? '',
    }),
    ...(sent.has('events') && { events: readEvents(fields) }),
  }
  fields.check()
  return changes
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

export function readEvents(fields: Fields): readonly string[] | null {
  const value = fields.value('events')
  if (value === undefined) return null
  const given: unknown[] = Array.isArray(value) ? value : [value]
  if (given.includes(allEvents)) return null
  const known = ipnEvents.filter((event) => given.includes(event))
  const isKnown = given.every((event) => ipnEvents.some((one) => one === event))
  if (!isKnown) fields.fail('events', `must be a list of ${ipnEvents.join(', ')}; leave it out for all`)
  return known
}
