import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

/** Another checkout: a folder with one, or a commit or tag of this repository, which is checked out for the time being. */
export async function findCheckout(name: string): Promise<AsyncDisposable & { readonly folder: string }> {
  const given = resolve(name)
  if (existsSync(join(given, 'bin', 'florin')))
    return { folder: given, [Symbol.asyncDispose]: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder])
    await run('git', ['-C', folder, 'checkout', '--quiet', '--detach', name, '--'])
  } catch (error) {
    remove()
    throw new Error(`There is no Florin in ${given}, and no commit ${name}`, { cause: error })
  }
  try {
    // It installs its packages when it is first started: here with this environment, which may name a proxy, as the
    // servers that are measured get almost none.
    await run(process.execPath, [join(folder, 'bin', 'florin'), '--version'], { cwd: '/' })
  } catch (error) {
    remove()
    throw new Error(`The packages of ${name} can't be installed`, { cause: error })
  }
  return { folder, [Symbol.asyncDispose]: async () => remove() }
}
