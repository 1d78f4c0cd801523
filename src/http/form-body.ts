import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { brokenRule, Refusal } from '../errors/refusals.ts'
import { collectFields, type FormFields } from '../input/form-fields.ts'
import { addBodies, addOtherBodies, addSlowBodies, notUtf8, readUtf8, wrongType } from './body-text.ts'

// Form posts: urlencoded, and multipart without files. Routes that a browser posts to take nothing else.

export const urlencodedType = 'application/x-www-form-urlencoded'
export const multipartType = 'multipart/form-data'
const charsetHint = '; give the form accept-charset="utf-8"'

export function addFormBodies(scope: FastifyInstance): void {
  addOtherBodies(scope, () => {
    throw wrongType(`${urlencodedType} or ${multipartType}`)
  })
  addBodies(scope, urlencodedType, (_, bytes) => readUrlencoded(readUtf8(bytes)))
  addSlowBodies(scope, multipartType, async (request, bytes) =>
    readMultipart(request.headers['content-type'] ?? '', bytes),
  )
}

export function readUrlencoded(text: string): FormFields {
  // Pages in another encoding send their own bytes, and URLSearchParams puts a replacement character in their place.
  for (const [letters] of text.matchAll(/(?:%[89a-f][0-9a-f])+/gi)) {
    try {
      decodeURIComponent(letters)
    } catch {
      throw notUtf8(charsetHint)
    }
  }
  return collectFields(new URLSearchParams(text))
}

export async function readMultipart(type: string, body: Buffer): Promise<FormFields> {
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
  return collectFields(texts)
}
