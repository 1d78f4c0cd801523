import type { FormFields } from './form-fields.ts'

// Form fields are flat, and names with brackets mean nested values: `meta[cart][0]`, as PHP, Rails and most libraries
// of other languages write and read them.

type Branch = Map<string, string | Branch>

// Cut off there: callers have a lower limit for nesting, and a name of 64 KiB must not become 20,000 levels.
const levelsMax = 20

/** The fields as one object. A list is what is numbered from 0 on; nothing of it is a prototype. */
export function nestFields(fields: FormFields): Record<string, unknown> {
  const root: Branch = new Map()
  for (const [name, value] of fields) put(root, pathOf(name), value)
  return asObject(root)
}

/** `meta[a][b]` is meta, a, b. A name whose brackets don't match is a name like any other. */
export function pathOf(name: string): [string, ...string[]] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name)
  if (!match?.[1] || match[2] === undefined) return [name]
  return [match[1], ...match[2].slice(1, -1).split('][', levelsMax)]
}

/** The first value stays, so that nothing appended to a form can change it. */
function put(root: Branch, path: [string, ...string[]], value: string): void {
  let branch = root
  for (const name of path.slice(0, -1)) {
    const inner = branch.get(name) ?? new Map<string, string | Branch>()
    if (typeof inner === 'string') return
    branch.set(name, inner)
    branch = inner
  }
  const last = path.at(-1) ?? ''
  if (!branch.has(last)) branch.set(last, value)
}

function asObject(branch: Branch): Record<string, unknown> {
  const object = Object.create(null) as Record<string, unknown>
  for (const [name, value] of branch) object[name] = typeof value === 'string' ? value : asValue(value)
  return object
}

function asValue(branch: Branch): unknown {
  const object = asObject(branch)
  const isList = [...branch.keys()].every((name, index) => name === String(index))
  return isList ? [...branch.keys()].map((name) => object[name]) : object
}
