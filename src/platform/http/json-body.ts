import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusals.ts'
import type { FormFields } from '../input/form-fields.ts'
import { repeatedName } from '../input/json-member.ts'
import { nestFields } from '../input/nested-fields.ts'
import { addBodies, addOtherBodies, addSlowBodies, readUtf8 } from './body-text.ts'
import { multipartType, readMultipart, readUrlencoded, urlencodedType } from './form-body.ts'

// Request bodies are JSON. The interface names two headers, and a client that sends no others is a good one: without a
// content type, or with one that a library puts there unasked (PHP's and Ruby's that of a form, fetch and C# text/plain), a
// body is what it looks like.
//
// The text is kept beside the value: an Idempotency-Key compares bodies to the byte, and a number that a double can't
// hold must be returned as it was sent.

const texts = new WeakMap<FastifyRequest, string>()
const forms = new WeakMap<FastifyRequest, FormFields>()

export function addJsonBodies(server: FastifyInstance): void {
  // A type that is left blank says as much as none; the framework would refuse the request for it.
  server.addHook('onRequest', ({ raw }, _, done) => {
    if (raw.headers['content-type'] === '') delete raw.headers['content-type']
    done()
  })
  addOtherBodies(server, (request, bytes) => {
    if (request.headers['content-type'] === undefined) return readJson(request, bytes)
    throw new Refusal('unsupported_media_type')
  })
  addBodies(server, 'application/json', readJson)
  addBodies(server, /^(?:text\/json|application\/[\w.-]+\+json)(?:;|$)/, readJson)
  addBodies(server, 'text/plain', (request, bytes) => {
    if (looksLikeJson(bytes)) return readJson(request, bytes)
    throw new Refusal('unsupported_media_type')
  })
  addBodies(server, urlencodedType, (request, bytes) => {
    if (looksLikeJson(bytes)) return readJson(request, bytes)
    const text = readUtf8(bytes)
    texts.set(request, text)
    return keepForm(request, readUrlencoded(text))
  })
  addSlowBodies(server, multipartType, async (request, bytes) => {
    const fields = await readMultipart(request.headers['content-type'] ?? '', bytes)
    texts.set(request, bytes.toString())
    return keepForm(request, fields)
  })
}

function readJson(request: FastifyRequest, bytes: Buffer): unknown {
  const text = readUtf8(bytes)
  texts.set(request, text)
  const value = parse(text)
  const twice = repeatedName(text, value)
  if (twice === undefined) return value
  throw new Refusal(
    'malformed_body',
    `The request body has ${JSON.stringify(twice)} more than once: send it once`,
  )
}

function parse(text: string): unknown {
  try {
    // Files saved by some editors begin with a mark that JSON does not have, and that counts as white space here.
    return JSON.parse(text.trimStart())
  } catch (error) {
    throw new Refusal('malformed_body', `The request body is not valid JSON${placeIn(error)}`)
  }
}

/** Where to look. The value there belongs to the caller, and not in our log. */
function placeIn(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec((error as Error).message) ?? []
  return line === undefined ? ': send one object in { }' : `: look at line ${line}, column ${column}`
}

/** The first character that is no white space. The mark of some editors, in UTF-8 EF BB BF, counts as some. */
function looksLikeJson(bytes: Buffer): boolean {
  for (const byte of bytes) {
    if (byte === 0x7b || byte === 0x5b) return true
    if (byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) return false
  }
  return false
}

function keepForm(request: FastifyRequest, fields: FormFields): unknown {
  forms.set(request, fields)
  return nestFields(fields)
}

/** The body as it was sent. */
export function bodyText(request: FastifyRequest): string {
  return texts.get(request) ?? ''
}

/** The fields of a body that was a form, which `request.body` has as an object. */
export function formOf(request: FastifyRequest): FormFields | undefined {
  return forms.get(request)
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const exactJson = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}

/** Parses so that JSON.stringify writes every number exactly as it was. Slower: for texts that need it. */
export function parseExactly(text: string): unknown {
  return exactJson.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? exactJson.rawJSON(source)
      : value,
  )
}

/** Whether some number of the text may not survive being a double. */
export function needsExactNumbers(text: string): boolean {
  return /[0-9]{16}|[0-9][.eE][0-9+-]|-0/.test(text)
}
