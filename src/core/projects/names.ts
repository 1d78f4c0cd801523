import { Fields } from '../../platform/input/fields.ts'
import { cardNumberRule, containsCardNumber } from '../../platform/money/card-numbers.ts'

// A project's name, and when two names are the same.

export const nameLengthMax = 255

/** As it was given, in Unicode's composed form, and without regard to case. */
export type Name = { readonly name: string; readonly folded: string }
export type Which = { readonly id: string } | { readonly folded: string }

const idShape = /^prj_[0-9A-Za-z]{16}$/

/** A project's id or, without regard to case, its name. No name looks like an id, so there is never a doubt. */
export function whichProject(idOrName: string): Which | undefined {
  if (idShape.test(idOrName)) return { id: idOrName }
  // PostgreSQL has no text with a zero character in it, and so no such name.
  return idOrName.includes('\0') ? undefined : { folded: foldName(idOrName) }
}

/** The name in the body of a create or rename. */
export function readName(body: unknown): Name {
  const fields = new Fields(body)
  const name = fields.requiredText('project', { max: nameLengthMax })?.normalize('NFC') ?? ''
  // Composing can lengthen a few rare characters.
  if ([...name].length > nameLengthMax) fields.fail('project', `must be at most ${nameLengthMax} characters`)
  // {project} in an address is an id or a name: a name that could be an id would delete the wrong one.
  else if (idShape.test(name)) fields.fail('project', 'must not look like a project id')
  else if (containsCardNumber(name)) fields.fail('project', cardNumberRule)
  fields.check()
  return { name, folded: foldName(name) }
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
