import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium, type Browser, type BrowserContext } from 'playwright-core'
import { takeLock } from '../../bin/lock.js'
import { isShared, keep } from '../runner/keep.ts'
import { packedChromium, type Program } from './packed-chromium.ts'

// A browser for tests: the one named by CHROMIUM_PATH, the one that npm brought (it has no window and costs
// less), or an installed one. Each test file opens one with `const browser = await openBrowser()` and closes it in
// after(); the files of one worker share the program behind it.

type Way = () => Promise<Program[]> | Program[]

// The first has no window, and costs half of what the others do.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const startLimitMs = 60_000
// Playwright's own thirty seconds are too few for a busy machine.
const waitLimitMs = 300_000
const macPath = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

// Containers run as root and have a small /dev/shm; the rest keeps a test browser from calling home.
const flags = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  `--disable-features=${withoutFeatures().join(',')}`,
]

/**
 * A new frame for each document of the same site takes a fifth of a page's processor time. Chromium reads only the last such
 * flag, so what Playwright leaves out is left out here again.
 */
function withoutFeatures(): string[] {
  return [
    'RenderDocument',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ]
}

export type TestBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>

let shared: Promise<Browser> | undefined

export async function openBrowser(): Promise<TestBrowser> {
  const browser = await (isShared() ? (shared ??= launchShared()) : launch(await findChromium()))
  const contexts: BrowserContext[] = []
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(waitLimitMs)
    contexts.push(context)
    return context
  }
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    async close() {
      await Promise.all(contexts.map(async (context) => context.close()))
      if (!isShared()) await browser.close()
    },
  }
}

async function launchShared(): Promise<Browser> {
  const program = await findOncePerRun()
  const browser = await launch(program)
  keep({ program: program.executablePath, close: async () => browser.close() })
  // After a crash the next file gets a new one.
  browser.on('disconnected', () => (shared = undefined))
  return browser
}

async function launch({ executablePath, environment }: Program): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: flags,
    env: { ...process.env, ...environment },
    timeout: waitLimitMs,
    // It ends with its pipe, however this process ends.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
}

/** Workers find the same one, and trying it out takes a second. */
async function findOncePerRun(): Promise<Program> {
  const folder = process.env['FLORIN_TEST_FOLDER']
  if (folder === undefined) return findChromium()
  const release = await takeLock(`${folder}-finds-chromium`)
  const found = `${folder}-chromium.json`
  try {
    if (!existsSync(found)) writeFileSync(found, JSON.stringify(await findChromium()))
    return JSON.parse(readFileSync(found, 'utf8')) as Program
  } finally {
    release()
  }
}

async function findChromium(): Promise<Program> {
  const named = process.env['CHROMIUM_PATH']
  if (named === undefined || named === '') return firstThatStarts([packedChromium, installed, fromDebian])
  const program = { executablePath: named }
  if (!existsSync(named)) throw new Error(`CHROMIUM_PATH is "${named}", but there is no such file.`)
  if (!starts(program)) throw new Error(`CHROMIUM_PATH is "${named}", which does not start.`)
  return program
}

/** A file that is there may still lack its libraries, or be for another machine: only a start tells. */
export async function firstThatStarts(ways: readonly Way[]): Promise<Program> {
  const refusals: unknown[] = []
  for (const way of ways) {
    try {
      const program = (await way()).find(starts)
      if (program !== undefined) return program
    } catch (error) {
      refusals.push(error)
    }
  }
  throw new Error(
    'The browser tests need Chromium and found none that starts. ' +
      'Install chromium or Google Chrome, or set CHROMIUM_PATH to one.',
    refusals.length > 0 ? { cause: refusals[0] } : {},
  )
}

function starts({ executablePath, environment }: Program): boolean {
  const env = { ...process.env, ...environment }
  return (
    spawnSync(executablePath, ['--version'], { env, stdio: 'ignore', timeout: startLimitMs }).status === 0
  )
}

function installed(): Program[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = names.flatMap((name) => [...folders, '/usr/bin'].map((folder) => join(folder, name)))
  return [...new Set([...paths, macPath])]
    .filter((path) => existsSync(path))
    .map((executablePath) => ({ executablePath }))
}

/** Test files run side by side, and apt-get runs once at a time: the others wait for the first one's browser. */
async function fromDebian(): Promise<Program[]> {
  const canInstall =
    process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!canInstall) return []
  const release = await takeLock(join(tmpdir(), 'florin-installs-chromium'))
  try {
    if (installed().some(starts)) return installed()
    process.stderr.write('Installing Chromium for the browser tests (apt-get, once per machine) …\n')
    spawnSync('apt-get', ['update'], { stdio: 'ignore' })
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    // Older ones of Debian have no shell.
    for (const browser of ['chromium-headless-shell', 'chromium']) {
      const args = ['install', '-y', '--no-install-recommends', browser, 'fonts-noto-core']
      spawnSync('apt-get', args, { stdio: 'ignore', env })
      if (installed().some(starts)) break
    }
    return installed()
  } finally {
    release()
  }
}
