import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusals.ts'
import { readUtf8, refuseOthers } from './body-text.ts'

// Request bodies are JSON and nothing else. The text is kept beside the value: an Idempotency-Key compares bodies to
// the byte, and a number that a double can't hold must be returned as it was sent.

const texts = new WeakMap<FastifyRequest, string>()

export function addJsonBodies(server: FastifyInstance): void {
  refuseOthers(server, 'application/json')
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    // Many clients send their usual content type without a body. Where one is needed, its fields will be missed.
    if (bytes.length === 0) return done(null)
    try {
      const text = readUtf8(bytes)
      texts.set(request, text)
      done(null, parse(text))
    } catch (error) {
      done(error as Error)
    }
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('malformed_body')
  }
}

export function bodyText(request: FastifyRequest): string {
  return texts.get(request) ?? ''
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const exactJson = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}

/** Parses so that JSON.stringify writes every number exactly as it stood. Slower: for texts that need it. */
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
