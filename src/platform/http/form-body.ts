import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { brokenRule, Refusal } from '../errors/refusals.ts'
import { collectFields, type FormFields } from '../input/form-fields.ts'
import { addBodies, addOtherBodies, addSlowBodies, notUtf8, readUtf8, wrongType } from './body-text.ts'

// Form posts: urlencoded, and multipart. Routes that a browser posts to take nothing else, and files only where one is asked
// for.

export const urlencodedType = 'application/x-www-form-urlencoded'
export const multipartType = 'multipart/form-data'
/** As many as PHP takes. 3,000 inputs for meta, of which 8 KiB hold fewer than 1,000, took 110 ms to be refused. */
export const formFieldsMax = 1_000
const charsetHint = '; give the form accept-charset="utf-8"'

export function addFormBodies(
  scope: FastifyInstance,
  read: (type: string, body: Buffer) => Promise<FormFields | FormWithFiles> = readMultipart,
): void {
  addOtherBodies(scope, () => {
    throw wrongType(`${urlencodedType} or ${multipartType}`)
  })
  addBodies(scope, urlencodedType, (_, bytes) => readUrlencoded(readUtf8(bytes)))
  addSlowBodies(scope, multipartType, async (request, bytes) =>
    read(request.headers['content-type'] ?? '', bytes),
  )
}

export function readUrlencoded(text: string): FormFields {
  refuseMany(text.split('&', formFieldsMax + 1).length)
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

function refuseMany(count: number): void {
  if (count > formFieldsMax)
    throw brokenRule(
      'form',
      `The form has more than ${formFieldsMax.toLocaleString('en')} fields: send fewer`,
    )
}

export async function readMultipart(type: string, body: Buffer): Promise<FormFields> {
  const { texts, files } = await readParts(type, body)
  const [file] = files.keys()
  if (file !== undefined) throw brokenRule(file, `${file} must not be a file`)
  // Not before: a file is refused for being one, whatever its bytes are.
  if (!isUtf8(body)) throw notUtf8(charsetHint)
  return collectFields(texts)
}

/** A form that may bring files, each as it was given first. */
export type FormWithFiles = { readonly fields: FormFields; readonly files: ReadonlyMap<string, Buffer> }

/** For routes that take a file: the body is a FormWithFiles when it is multipart. */
export function addFileForms(scope: FastifyInstance): void {
  addFormBodies(scope, readFileForm)
}

async function readFileForm(type: string, body: Buffer): Promise<FormWithFiles> {
  const { texts, files } = await readParts(type, body)
  // Invalid text was replaced while parsing: the whole body can't be checked, as files aren't text.
  if (texts.some((pair) => pair.some((text) => text.includes('\ufffd')))) throw notUtf8(charsetHint)
  return { fields: collectFields(texts), files }
}

async function readParts(
  type: string,
  body: Buffer,
): Promise<{ texts: [string, string][]; files: Map<string, Buffer> }> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new Refusal('malformed_body', 'The form is not valid multipart data')
    })
  const texts: [string, string][] = []
  const files = new Map<string, Buffer>()
  for (const [name, value] of form) {
    if (typeof value === 'string') texts.push([name, value])
    else if (!files.has(name)) files.set(name, Buffer.from(await value.arrayBuffer()))
  }
  refuseMany(texts.length)
  return { texts, files }
}
