import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeInstallProgress, readPackageSizes } from '../../bin/install-progress.js'
import { isAlive } from '../../bin/lock.js'
import { openStatusLine } from '../../bin/status-line.js'
import { freePort } from '../support/free-port.ts'
import { lockedPackages } from '../support/locked-packages.ts'
import { ordinary } from '../support/run-florin.ts'
import { waitUntil } from '../support/wait-until.ts'

// What a first start shows while npm brings the packages.

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'florin-first-install-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('every package in the lockfile has a known size (after changing packages: npm run sizes)', () => {
  const sizes = readPackageSizes()
  const locked = new Set(lockedPackages().map(({ id }) => id))
  assert.deepEqual(Object.keys(sizes).toSorted(), [...locked].toSorted())
})

test('installed packages count as installed, so the sizes are right', () => {
  const here = lockedPackages().filter(({ path }) => existsSync(join(root, path)))
  assert.match(
    makeInstallProgress(root, here)(),
    new RegExp(`^${here.length} of ${here.length}, (\\d+) of \\1 MB$`),
  )
})

test('a large package counts by its unpacked part', () => {
  const wanted = [
    { path: 'node_modules/large', id: 'large@1.0.0' },
    { path: 'node_modules/@some/small', id: '@some/small@1.0.0' },
  ]
  const sizes = { 'large@1.0.0': [40_000_000, 1_000_000], '@some/small@1.0.0': [2_000_000, 10_240] }
  const progress = makeInstallProgress(join(folder, 'half'), wanted, sizes)
  assert.equal(progress(), '0 of 2, 0 of 42 MB')
  write('half/node_modules/@some/small/package.json', 100)
  assert.equal(progress(), '1 of 2, 2 of 42 MB')
  write('half/node_modules/large/bin/node', 499_488)
  assert.equal(progress(), '1 of 2, 22 of 42 MB')
  write('half/node_modules/large/node_modules/other/index.js', 400_000)
  assert.equal(progress(), '1 of 2, 22 of 42 MB', 'another package')
  write('half/node_modules/large/LICENSE', 499_488)
  assert.equal(progress(), '2 of 2, 42 of 42 MB')
})

test('progress never goes backwards, even while npm moves a folder', () => {
  const sizes = { 'large@1.0.0': [40_000_000, 1_000_000] }
  const wanted = [{ path: 'node_modules/large', id: 'large@1.0.0' }]
  const progress = makeInstallProgress(join(folder, 'moved'), wanted, sizes)
  write('moved/node_modules/large/bin/node', 499_488)
  assert.equal(progress(), '0 of 1, 20 of 40 MB')
  rmSync(join(folder, 'moved/node_modules/large'), { recursive: true })
  assert.equal(progress(), '0 of 1, 20 of 40 MB')
})

/** A start in a fresh folder, with an npm that never ends and a registry that nobody listens at. */
async function startInstall(name: string): Promise<{ child: ChildProcess; npm: number; err: () => string }> {
  const place = join(folder, name)
  cpSync(join(root, 'bin'), join(place, 'bin'), { recursive: true })
  const lockfile = { packages: { '': {}, 'node_modules/fastify': { version: '5.12.8' } } }
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify(lockfile))
  const npm = join(place, 'npm-cli.js')
  // As npm does, it does not end by the signal at once.
  writeFileSync(
    npm,
    `for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {})
    require('node:fs').writeFileSync('pid', process.pid + '\\n')
    setInterval(() => {}, 1000)`,
  )
  const registry = `http://127.0.0.1:${await freePort()}/`
  const child = spawn(process.execPath, [join(place, 'bin', 'florin'), 'status'], {
    cwd: place,
    env: { ...ordinary(), npm_execpath: npm, npm_config_registry: registry },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (err += part))
  const pid = join(place, 'pid')
  await waitUntil('npm runs', () => existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n'))
  return { child, npm: Number(readFileSync(pid, 'utf8')), err: () => err }
}

test('an unreachable registry is named while npm tries, and Ctrl-C ends at once with a message', async () => {
  const { child, npm, err } = await startInstall('unreachable')
  const named =
    /The registry http:\/\/127\.0\.0\.1:\d+\/ can't be reached \(ECONNREFUSED\)\. npm keeps trying; press Ctrl-C to stop\.\n/
  await waitUntil('the registry is named', () => named.test(err()))
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'close'), [130, null])
  assert.match(err(), /\nStopped\. Run it again to continue\.\n$/)
  await waitUntil('npm has ended', () => !isAlive(npm))
})

test('killing the launcher kills npm', async () => {
  const { child, npm } = await startInstall('killed')
  child.kill('SIGKILL')
  await waitUntil('npm has ended', () => !isAlive(npm))
})

test('a command other than a server ends with its launcher', async () => {
  const child = spawn(process.execPath, [join(root, 'src/florin.ts'), 'connector', 'add', 'stripe'], {
    cwd: folder,
    env: {
      ...ordinary(),
      DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none`,
      FLORIN_LAUNCHER_FD: '3',
    },
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  child.stdio[3]?.destroy()
  assert.notEqual((await ended)[0], 0)
})

test('without a terminal the first line comes at once, and the last when npm is done', async () => {
  const place = join(folder, 'fresh')
  cpSync(join(root, 'bin'), join(place, 'bin'), { recursive: true })
  const entry = { version: '5.12.8' }
  const lockfile = { packages: { '': {}, 'node_modules/fastify': entry } }
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify(lockfile))
  const npm = join(place, 'npm-cli.js')
  writeFileSync(
    npm,
    `const fs = require('node:fs')
    fs.mkdirSync('node_modules/fastify', { recursive: true })
    fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json')`,
  )
  const program = `import { ensureInstalled } from './bin/install.js'; await ensureInstalled({ dev: false })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: place,
    env: { ...ordinary(), npm_execpath: npm },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [[code], err] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  assert.equal(code, 0, err)
  assert.match(err, /^Installing packages, once: 0 of 1, 0 of 1 MB  0 s\nPackages installed in \d+ s\n$/)
})

test('without a terminal a line is printed now and then, not with every change', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  const { output, written } = note({})
  const status = openStatusLine({ output, results: output, everySeconds: 10 })
  for (const doing of ['one', 'two', 'three']) status.show(doing)
  t.mock.timers.tick(10_000)
  t.mock.timers.tick(10_000)
  status.print('a result\n')
  status.end()
  t.mock.timers.tick(20_000)
  assert.deepEqual(written, ['one  0 s\n', 'three  10 s\n', 'three  20 s\n', 'a result\n'])
})

test('on a terminal one line updates, never wraps, makes room for results and disappears', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  const { output, written } = note({ isTTY: true, columns: 20 })
  const status = openStatusLine({ output, results: output })
  status.show('one')
  t.mock.timers.tick(1_000)
  status.show('a name that is too long')
  status.print('a result\n')
  status.end()
  const clear = '\r\u001b[K'
  assert.deepEqual(written, [
    `${clear}one  0 s`,
    `${clear}one  1 s`,
    `${clear}a name that i…  1 s`,
    clear,
    'a result\n',
    `${clear}a name that i…  1 s`,
    clear,
  ])
})

function note(terminal: { isTTY?: boolean; columns?: number }) {
  const written: string[] = []
  return { written, output: { ...terminal, write: (line: string) => written.push(line) } }
}

function write(path: string, size: number): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), Buffer.alloc(size))
}
