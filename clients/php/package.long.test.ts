import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openHouse, type House } from '../../test/support/house.ts'
import { here, runPhp } from './run-php.ts'

// The package as a stranger gets it: archived by Composer, installed into an empty project, and used as its README says.

const guzzle = '/usr/share/php/GuzzleHttp/autoload.php'
/** Composer opens archives with the extension. */
const needsZip = "exit(extension_loaded('zip') ? 0 : 1);"
const runs = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0
const folder = mkdtempSync(join(tmpdir(), 'florin-php-'))
let house: House

before(async () => {
  house = await openHouse()
})
after(async () => {
  await house.close()
  rmSync(folder, { recursive: true, force: true })
})

const composer = (args: readonly string[], cwd: string): string => {
  const env = { ...process.env, COMPOSER_HOME: join(folder, 'home'), COMPOSER_ALLOW_SUPERUSER: '1' }
  const ran = spawnSync('composer', ['--no-interaction', ...args], { cwd, env, encoding: 'utf8' })
  assert.equal(ran.status, 0, `${ran.stdout}${ran.stderr}`)
  return ran.stdout
}

test('the archive installs into an empty project and the first lines of the README create a payment', async (context) => {
  if (!runs('composer', '--version') || !runs('php', '-r', needsZip) || !existsSync(guzzle))
    return context.diagnostic("note: no Composer, no zip extension or no Guzzle of Debian's, so nothing ran")
  const source = join(folder, 'source')
  cpSync(here, source, { recursive: true })
  const archives = join(folder, 'archives')
  composer(['archive', '--format=zip', `--dir=${archives}`], source)
  const project = join(folder, 'project')
  mkdirSync(project)
  // Without Packagist: the interfaces come with Debian's Guzzle.
  const psr = ['psr/http-client', 'psr/http-factory', 'psr/http-message']
  const manifest = {
    repositories: [{ type: 'artifact', url: archives }, { 'packagist.org': false }],
    require: { 'florin/florin-php': '*' },
    provide: Object.fromEntries(psr.map((name) => [name, '1.0.1'])),
    autoload: { files: [guzzle] },
  }
  writeFileSync(join(project, 'composer.json'), JSON.stringify(manifest))
  composer(['install', '--no-progress'], project)
  const installed = join(project, 'vendor/florin/florin-php')
  for (const name of ['tests', 'php.test.ts', 'run-php.ts'])
    assert.ok(!existsSync(join(installed, name)), `${name} is in the archive`)
  const [, code = ''] = /```php\n([^]*?)```/.exec(readFileSync(join(installed, 'README.md'), 'utf8')) ?? []
  assert.equal(code.trim().split('\n').length, 5)
  writeFileSync(join(project, 'first.php'), `<?php\nchdir(${JSON.stringify(project)});\n${code}`)
  const environment = { FLORIN_URL: house.url, FLORIN_KEY: house.secretKey }
  const ran = await runPhp('php', [join(project, 'first.php')], environment)
  assert.match(ran.output, /\/payment\/\d{32}$/m)
})
