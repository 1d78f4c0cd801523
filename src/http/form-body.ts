import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { brokenRule, Refusal } from '../errors/refusals.ts'
import { notUtf8, readUtf8, refuseOthers } from './body-text.ts'

// Form posts of browsers: urlencoded, and multipart without files. Added only where a form is taken.

export type FormFields = ReadonlyMap<string, string>

const charsetHint = '; give the form accept-charset="utf-8"'

export function addFormBodies(scope: FastifyInstance): void {
  refuseOthers(scope, 'application/x-www-form-urlencoded or multipart/form-data')
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) => readUrlencoded(readUtf8(body)),
  )
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      readMultipart(request.headers['content-type'] ?? '', body),
  )
}

function readUrlencoded(text: string): FormFields {
  // Pages in another encoding send their own bytes, and URLSearchParams puts a replacement character in their place.
  for (const [letters] of text.matchAll(/(?:%[89a-f][0-9a-f])+/gi)) {
    try {
      decodeURIComponent(letters)
    } catch {
      throw notUtf8(charsetHint)
    }
  }
  return firstOfEach(new URLSearchParams(text))
}

async function readMultipart(type: string, body: Buffer): Promise<FormFields> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new Refusal('malformed_body', 'The form is not valid multipart data')
    })
  const texts: [string, string][] = []
  for (const [name, value] of form) {
    if (typeof value !== 'string') throw brokenRule(name, `${name} must not be a file`)
    texts.push([name, value])
  }
  // Not before: a file is refused for being one, whatever its bytes are.
  if (!isUtf8(body)) throw notUtf8(charsetHint)
  return firstOfEach(texts)
}

/** A field given twice counts as it was given first, so that nothing appended to a form can change it. */
function firstOfEach(pairs: Iterable<[string, string]>): FormFields {
  const fields = new Map<string, string>()
  for (const [name, value] of pairs) if (!fields.has(name)) fields.set(name, value)
  return fields
}
