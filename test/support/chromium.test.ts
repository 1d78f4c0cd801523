import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { firstThatStarts } from './chromium.ts'
import { packedChromium } from './packed-chromium.ts'
import { waitUntil } from './wait-until.ts'

const run = promisify(execFile)
const sentence =
  /^Error: The browser tests need Chromium .* Install chromium or Google Chrome, or set CHROMIUM_PATH/
const packedHere = process.platform === 'linux' && process.arch === 'x64'
const starting = { executablePath: process.execPath }

test('several processes get one complete browser, even from a folder where a download was killed', async (t) => {
  const place = join(temporaryFolder(t), 'with a space & an ü')
  const killed = spawn(process.execPath, unpacking(place), { stdio: 'ignore' })
  const half = (): string | undefined =>
    existsSync(place) ? readdirSync(place).find((name) => name.includes('.new-')) : undefined
  await waitUntil('it is unpacking', () => half() !== undefined)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const left = half()
  assert.ok(left)

  const answers = await Promise.all([1, 2, 3].map(() => run(process.execPath, unpacking(place))))
  const folders = new Set(answers.map(({ stdout }) => stdout.trim()))
  assert.equal(folders.size, 1)
  const [folder = ''] = folders
  assert.match(folder, /chromium-\d+\.\d+\.\d+$/)
  for (const name of [
    'chromium',
    'fonts/fonts.conf',
    'fonts/fonts',
    'al2023/lib/libnss3.so',
    'libGLESv2.so',
  ]) {
    assert.ok(existsSync(join(folder, name)), name)
  }
  assert.deepEqual(
    readdirSync(place).filter((name) => name !== left),
    [folder.slice(place.length + 1)],
  )
  if (packedHere) {
    const made = statSync(join(folder, 'chromium')).ino
    const { environment } = await firstThatStarts([() => packedChromium([place])])
    assert.deepEqual(environment, {
      FONTCONFIG_PATH: join(folder, 'fonts'),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    })
    assert.equal(statSync(join(folder, 'chromium')).ino, made)
  }
})

test('a browser that can’t start or be downloaded leads to the next option', async (t) => {
  const broken = { executablePath: brokenProgram(t) }
  const missing = { executablePath: join(temporaryFolder(t), 'chromium') }
  const ways = [
    () => [missing, broken],
    () => Promise.reject(new Error('no space left')),
    () => [],
    () => [broken, starting],
  ]
  assert.deepEqual(await firstThatStarts(ways), starting)
})

test('an option’s environment decides whether its browser starts', async () => {
  const refused = { ...starting, environment: { NODE_OPTIONS: '--no-such-option' } }
  assert.deepEqual(await firstThatStarts([() => [refused, starting]]), starting)
})

test('without a working browser, one sentence says what to install', async (t) => {
  const broken = { executablePath: brokenProgram(t) }
  await assert.rejects(firstThatStarts([() => [broken], () => []]), sentence)
  const reason = new Error('no space left')
  await assert.rejects(firstThatStarts([() => Promise.reject(reason)]), (error: Error) => {
    assert.match(String(error), sentence)
    return error.cause === reason
  })
})

test('every unwritable place is tried and reported', { skip: !packedHere }, async (t) => {
  const file = join(temporaryFolder(t), 'file')
  writeFileSync(file, '')
  await assert.rejects(packedChromium([file, join(file, 'below')]), (error: AggregateError) => {
    assert.equal(error.errors.length, 2)
    return true
  })
})

function unpacking(place: string): string[] {
  const program = `
    const { unpackOnce } = await import(${JSON.stringify(import.meta.resolve('./packed-chromium.ts'))})
    process.stdout.write(await unpackOnce(${JSON.stringify(place)}))`
  return ['--input-type=module', '-e', program]
}

/** As one that lacks a library ends. */
function brokenProgram(t: TestContext): string {
  const path = join(temporaryFolder(t), 'chromium')
  writeFileSync(path, '#!/bin/sh\nexit 127\n')
  chmodSync(path, 0o755)
  return path
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-chromium-'))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
