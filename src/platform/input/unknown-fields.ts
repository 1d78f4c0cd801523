import { closest } from './closest.ts'

// Unknown fields are ignored. A field whose name resembles a known one was probably meant, so the answer warns about it.

/** Names that other services give to our fields. */
const aliases: Readonly<Record<string, string>> = {
  metadata: 'meta',
  success_url: 'return_url',
  redirect_url: 'return_url',
  cancel_url: 'return_url',
  webhook_url: 'callback_url',
  notify_url: 'callback_url',
  notification_url: 'callback_url',
  ipn_url: 'callback_url',
}

/** Sentences in one answer. */
export const warningsMax = 5
const comparedMax = 50
/** Longer names, and names with other characters, resemble none of ours and are never repeated. */
const plainName = /^[A-Za-z0-9_. -]{1,40}$/

/** One sentence for each of the names that resembles a known one. `place` is put before both, such as `customization.`. */
export function warnOf(names: readonly string[], known: ReadonlySet<string>, place = ''): string[] {
  const unknown = names.filter((name) => !known.has(name))
  return unknown.slice(0, comparedMax).flatMap((name) => {
    const meant = plainName.test(name) ? meantBy(name, known) : undefined
    return meant === undefined ? [] : [`${place}${name} was ignored: did you mean ${place}${meant}?`]
  })
}

function meantBy(name: string, known: ReadonlySet<string>): string | undefined {
  const alias = closest(name, Object.keys(aliases))
  const meant = alias === undefined ? undefined : aliases[alias]
  return closest(name, known) ?? (meant !== undefined && known.has(meant) ? meant : undefined)
}

const noted = new WeakMap<object, readonly string[]>()

/** Kept with the body as it was parsed: the answer and the request log read it there. */
export function noteWarnings(body: unknown, warnings: readonly string[]): void {
  if (warnings.length > 0) noted.set(body as object, warnings.slice(0, warningsMax))
}

export function warningsOf(body: unknown): readonly string[] | undefined {
  return typeof body === 'object' && body !== null ? noted.get(body) : undefined
}
