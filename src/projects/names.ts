import type { Fields } from '../input/fields.ts'

// What a project may be called, and when two names are the same.

export const nameLengthMax = 255

const idShape = /^prj_[0-9A-Za-z]{16}$/

export function isProjectId(text: string): boolean {
  return idShape.test(text)
}

/** The name in the body of a create or rename, in Unicode's composed form. Undefined when a rule failed. */
export function readName(fields: Fields): string | undefined {
  const given = fields.requiredText('project', { max: nameLengthMax })
  if (given === undefined) return undefined
  const name = given.normalize('NFC')
  // Composing can lengthen a few rare characters.
  if ([...name].length > nameLengthMax)
    return fields.fail('project', `must be at most ${nameLengthMax} characters`)
  if (name.trim() !== name) return fields.fail('project', 'must not start or end with a space')
  // {project} in an address is an id or a name: a name that could be an id would delete the wrong one.
  if (isProjectId(name)) return fields.fail('project', 'must not look like the id of a project')
  return name
}

/**
 * The text without regard to case, in any script. Lower case alone is not enough: the capital of `ß` is `SS`, and a
 * final `ς` and an inner `σ` have one capital. Up and down again brings all of these together. The Turkish `ı` stays
 * as it is, as in Unicode's own folding: it is another letter than `i`.
 */
export function foldName(text: string): string {
  const composed = text.normalize('NFC').toLowerCase()
  const folded = composed
    .split('ı')
    .map((part) => part.toUpperCase().toLowerCase())
    .join('ı')
  return folded.replaceAll('ς', 'σ').normalize('NFC')
}
