// Schemas with a title become components of the document, so that clients made from it have a Transaction and not a
// type without a name at every place.

export type JsonSchema = { readonly [keyword: string]: unknown }

type Found = { readonly named: Record<string, unknown>; readonly schemas: Record<string, JsonSchema> }

/** The same description with every titled schema replaced by a reference, and the schemas by title. */
export function nameSchemas(described: Record<string, unknown>): Found {
  const schemas: Record<string, JsonSchema> = {}
  const seen = new Map<string, string>()

  function name(value: unknown, keyword = ''): unknown {
    if (Array.isArray(value)) return value.map((each) => name(each))
    // Examples are a merchant's data: a title in them is a title.
    if (typeof value !== 'object' || value === null || keyword === 'example' || keyword === 'examples')
      return value
    const { title, ...rest } = value as JsonSchema
    const inner = Object.fromEntries(
      Object.entries(typeof title === 'string' ? rest : (value as JsonSchema))
        .filter(([key, each]) => !(key === 'additionalProperties' && each === false))
        .map(([key, each]) => [key, name(each, key)]),
    )
    if (typeof title !== 'string') return inner
    const text = JSON.stringify(inner)
    if ((seen.get(title) ?? text) !== text) throw new Error(`Two schemas are called ${title}`)
    seen.set(title, text)
    schemas[title] = inner
    return { $ref: `#/components/schemas/${title}` }
  }

  const named = name(described) as Record<string, unknown>
  return {
    named,
    schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
