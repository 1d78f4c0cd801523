import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Browser } from 'playwright-core'

// A browser for tests: the one named by CHROMIUM_PATH, an installed one, or the one that npm brought. One per test
// file: `const browser = await openBrowser()`, closed in after().

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
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
]

export async function openBrowser(): Promise<Browser> {
  const executablePath = await findChromium()
  return chromium.launch({ executablePath, args: flags })
}

async function findChromium(): Promise<string> {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH is "${named}", but there is no such file.`)
  }
  return installed() ?? (await fromNpm()) ?? (await fromDebian())
}

function installed(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = names.flatMap((name) => [...folders, '/usr/bin'].map((folder) => join(folder, name)))
  return [...paths, macPath].find((path) => existsSync(path))
}

/** The package holds a binary for Linux on x64 only. */
async function fromNpm(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const { default: packed } = await import('@sparticuz/chromium')
  return packed.executablePath()
}

async function fromDebian(): Promise<string> {
  const canInstall =
    process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const path = canInstall ? await installOnce() : undefined
  if (path !== undefined) return path
  throw new Error(
    'The browser tests need Chromium and found none. Install chromium or Google Chrome, or set CHROMIUM_PATH to one.',
  )
}

const installing = join(tmpdir(), 'florin-installs-chromium')
const patienceMs = 300_000

/** Test files run side by side, and apt-get runs once at a time: the others wait for the first one's browser. */
async function installOnce(): Promise<string | undefined> {
  try {
    mkdirSync(installing)
  } catch {
    const deadline = Date.now() + patienceMs
    while (existsSync(installing) && Date.now() < deadline) await pause(500)
    return installed()
  }
  try {
    process.stderr.write('Installing Chromium for the browser tests (apt-get, once per machine) …\n')
    spawnSync('apt-get', ['update'], { stdio: 'ignore' })
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const packages = ['chromium', 'fonts-noto-core']
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: 'ignore', env })
    return installed()
  } finally {
    rmdirSync(installing)
  }
}
