import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeZip, type ZipFile } from '../../src/guide/collections/zip.ts'

// `npm run plugin-zip`: writes the zip that WordPress installs, with the parts of the PHP client that need no PSR-18.

const here = fileURLToPath(new URL('.', import.meta.url))
const client = fileURLToPath(new URL('../../clients/php/src/', import.meta.url))
const target = fileURLToPath(new URL('../../artefacts/florin-payments.zip', import.meta.url))

const parts = ['Event.php', 'Money.php', 'Webhook.php', 'Exception', 'Result']

export function pluginFiles(): readonly ZipFile[] {
  const own = ['florin-payments.php', 'uninstall.php', 'readme.txt', 'src', 'assets'].flatMap((name) =>
    filesIn(here, name),
  )
  const lib = parts
    .flatMap((name) => filesIn(client, name))
    .map(({ name, text }) => ({ name: `lib/${name}`, text }))
  return [...own, ...lib].map(({ name, text }) => ({ name: `florin-payments/${name}`, text }))
}

function filesIn(folder: string, name: string): ZipFile[] {
  const path = join(folder, name)
  if (!statSync(path).isDirectory()) return [{ name, text: readFileSync(path, 'utf8') }]
  return readdirSync(path).flatMap((inner) => filesIn(folder, `${name}/${inner}`))
}

if (import.meta.main) {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, makeZip(pluginFiles()))
  process.stdout.write(`${target}\n`)
}
