import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusals.ts'

// Form posts of browsers: urlencoded, and multipart without files. Added only where a form is taken.

export type FormFields = ReadonlyMap<string, string>

export function addFormBodies(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_, text: string, done) => {
      done(null, firstOfEach(new URLSearchParams(text)))
    },
  )
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      readMultipart(request.headers['content-type'] ?? '', body),
  )
}

async function readMultipart(type: string, body: Buffer): Promise<FormFields> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new Refusal('malformed_body', 'The form is not valid multipart data')
    })
  const texts: [string, string][] = []
  for (const [name, value] of form) {
    if (typeof value !== 'string') throw new Refusal('validation_failed', `${name} must not be a file`)
    texts.push([name, value])
  }
  return firstOfEach(texts)
}

/** A field given twice counts as it was given first, so that nothing appended to a form can change it. */
function firstOfEach(pairs: Iterable<[string, string]>): FormFields {
  const fields = new Map<string, string>()
  for (const [name, value] of pairs) if (!fields.has(name)) fields.set(name, value)
  return fields
}
