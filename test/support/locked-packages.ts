import { readFileSync } from 'node:fs'

// What package-lock.json names, for every platform.

export type LockedPackage = { readonly path: string; readonly id: string }

export function lockedPackages(): LockedPackage[] {
  const lockfile = new URL('../../package-lock.json', import.meta.url)
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as {
    packages: Record<string, { version: string; name?: string }>
  }
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, name = path.replace(/^.*node_modules\//, '') }]) => ({
      path,
      id: `${name}@${version}`,
    }))
}
