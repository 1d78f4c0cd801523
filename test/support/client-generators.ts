import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { takeLock } from '../../bin/lock.js'
import { runNpm } from '../../bin/npm.js'

// The programs that make clients of /openapi.json. They need an older TypeScript than ours and bring ninety packages, so
// they are no packages of Florin: the first run that reaches the registry fetches them, by a lockfile, and keeps them.

const home = fileURLToPath(new URL('../clients/', import.meta.url))
const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
// Without a registry npm must give up at once: those tests have two minutes.
const install = ['ci', '--ignore-scripts', '--prefer-offline', '--fetch-retries=0', '--fetch-timeout=20000']

/** Their node_modules, or why there are none. */
export async function findGenerators(): Promise<{ modules: string } | { missing: string }> {
  const folder = `${cache}florin-clients`
  const modules = `${folder}/node_modules`
  if (existsSync(modules)) return { modules }
  mkdirSync(cache, { recursive: true })
  const release = await takeLock(`${folder}.lock`)
  try {
    if (existsSync(modules)) return { modules }
    const fresh = `${folder}.new`
    rmSync(fresh, { recursive: true, force: true })
    mkdirSync(fresh)
    for (const file of ['package.json', 'package-lock.json']) cpSync(`${home}${file}`, `${fresh}/${file}`)
    const { ok, output } = await runNpm(install, fresh)
    if (!ok) {
      rmSync(fresh, { recursive: true, force: true })
      return { missing: /npm error (.*)/.exec(output)?.[1] ?? 'npm failed' }
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
    return { modules }
  } finally {
    release()
  }
}
