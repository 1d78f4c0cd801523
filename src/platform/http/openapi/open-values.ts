import type { JsonSchema } from './named-schemas.ts'

// A value that is added later must not break a program: strict clients stop at a value that `enum` does not have. So answers
// list theirs as x-extensible-enum, which is for people and for programs that ask. What we take stays enum.

/** Never more: see the contract of every key. */
const closed = new Set(['mode'])

export const openWords = 'More values may be added.'

/** The same schema, in which values of text may be added. */
export function openValues<Node>(node: Node, name = ''): Node {
  if (Array.isArray(node)) return node.map((item: unknown) => openValues(item)) as Node
  if (typeof node !== 'object' || node === null) return node
  const { enum: values, ...rest } = node as JsonSchema
  const opened = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'properties' ? openEach(value) : openValues(value),
    ]),
  )
  if (values === undefined) return opened as Node
  if (!isOpen(name, values)) return { ...opened, enum: values } as Node
  const description = [opened['description'], openWords].filter(Boolean).join(' ')
  return { ...opened, 'x-extensible-enum': values, description } as Node
}

function openEach(properties: unknown): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties as JsonSchema).map(([name, schema]) => [name, openValues(schema, name)]),
  )
}

/** Whether an answer may have other values one day. */
export function isOpen(name: string, values: unknown): boolean {
  return !closed.has(name) && (values as readonly unknown[]).every((value) => typeof value === 'string')
}
