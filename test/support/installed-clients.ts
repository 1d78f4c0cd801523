import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Our own clients in the folder of a test, as if npm and Composer had put them there. What they pack is tried by tests of their own.

const clients = fileURLToPath(new URL('../../clients/', import.meta.url))
const guzzle = '/usr/share/php/GuzzleHttp/autoload.php'

/** Composer's packages where it was run, else Debian's. */
export function hasGuzzle(): boolean {
  return existsSync(guzzle) || existsSync(join(clients, 'php/vendor/autoload.php'))
}

export function installJsClient(folder: string): void {
  const own = join(folder, 'florin-client')
  if (existsSync(own)) return
  cpSync(join(clients, 'node/src'), join(own, 'src'), { recursive: true })
  writeFileSync(
    join(own, 'package.json'),
    JSON.stringify({ name: 'florin-client', type: 'module', exports: './src/index.ts' }),
  )
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  // A link, as Node runs TypeScript outside of node_modules only.
  symlinkSync(own, join(folder, 'node_modules/florin-client'), 'junction')
}

export function installPhpClient(folder: string): void {
  mkdirSync(join(folder, 'vendor'), { recursive: true })
  const bootstrap = join(clients, 'php/tests/bootstrap.php')
  writeFileSync(join(folder, 'vendor/autoload.php'), `<?php\nrequire_once ${JSON.stringify(bootstrap)};\n`)
}
