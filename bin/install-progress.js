// How far npm has come, seen from what it has unpacked so far: npm itself says nothing until it is done.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const TAR_BLOCK = 512
// What a tar holds beside files: padding at its end, and for some packers a block per directory.
const TAR_SLACK = 20_480
const MEGABYTE = 1_000_000

/** @typedef {{ path: string, id: string }} WantedPackage  `path` from the root, `id` as `name@version` */
/** @typedef {Record<string, number[]>} PackageSizes  bytes by `name@version`: packed, and unpacked as a tar */

/**
 * @param {string} root
 * @param {WantedPackage[]} wanted
 * @param {PackageSizes} [sizes]
 * @returns {() => string} says how much of them is there, each time it is asked. The megabytes are those that travel:
 *   of a package that is unpacked by half, half of its download.
 */
export function makeInstallProgress(root, wanted, sizes = readPackageSizes()) {
  const packages = wanted.map(({ path, id }) => {
    const [packed = 0, unpacked = 0] = sizes[id] ?? []
    return { folder: join(root, path), packed, unpacked, share: 0 }
  })
  const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / MEGABYTE)
  const total = megabytes(packages.reduce((sum, { packed }) => sum + packed, 0))
  return () => {
    // npm unpacks elsewhere and moves: a folder that is gone for a moment must not take its share back.
    for (const each of packages)
      if (each.share < 1) each.share = Math.max(each.share, unpackedShare(each.folder, each.unpacked))
    const done = packages.filter(({ share }) => share === 1).length
    const bytes = packages.reduce((sum, { packed, share }) => sum + packed * share, 0)
    return `${done} of ${packages.length}, ${megabytes(bytes)} of ${total} MB`
  }
}

/**
 * Written by `npm run sizes`, since the lockfile does not say it.
 * @returns {PackageSizes}
 */
export function readPackageSizes() {
  return JSON.parse(readFileSync(new URL('package-sizes.json', import.meta.url), 'utf8'))
}

/**
 * @param {string} folder
 * @param {number} unpacked
 */
function unpackedShare(folder, unpacked) {
  const there = sizeAsTar(folder)
  if (there === 0) return 0
  return there + TAR_SLACK >= unpacked ? 1 : there / unpacked
}

/**
 * @param {string} folder
 * @returns {number}
 */
function sizeAsTar(folder) {
  let size = 0
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && entry.name !== 'node_modules') size += sizeAsTar(path)
      if (entry.isFile()) size += TAR_BLOCK + Math.ceil(statSync(path).size / TAR_BLOCK) * TAR_BLOCK
    }
  } catch {
    // Not there yet, or npm moves it just now: the next look finds it.
  }
  return size
}
