/** The fields of a form by name, each as it was given first. */
export type FormFields = ReadonlyMap<string, string>

// Each pair of brackets is looked for in what was there before: 30,000 in one name would take seconds.
const numberedLengthMax = 500

/**
 * A field given twice counts as it was given first, so that nothing appended to a form can change it. Only `name[]` may
 * be given many times: the brackets are numbered, as PHP does.
 */
export function collectFields(pairs: Iterable<[string, string]>): FormFields {
  const fields = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const [given, value] of pairs) {
    const isList = given.length <= numberedLengthMax && given.includes('[]')
    const name = isList ? numbered(given, fields, counts) : given
    if (!fields.has(name)) fields.set(name, value)
  }
  return fields
}

function numbered(given: string, fields: FormFields, counts: Map<string, number>): string {
  let name = given
  for (let at = name.indexOf('[]'); at !== -1; at = name.indexOf('[]', at + 1)) {
    const before = name.slice(0, at)
    let count = counts.get(before) ?? 0
    while (fields.has(`${before}[${count}]`)) count += 1
    counts.set(before, count + 1)
    name = `${before}[${count}]${name.slice(at + 2)}`
  }
  return name
}
