import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
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
  if (canInstall) {
    process.stderr.write('Installing Chromium for the browser tests (apt-get, once per machine) …\n')
    spawnSync('apt-get', ['update'], { stdio: 'ignore' })
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-core'], {
      stdio: 'ignore',
      env,
    })
    const path = installed()
    if (path !== undefined) return path
  }
  throw new Error(
    'The browser tests need Chromium and found none. Install chromium or Google Chrome, or set CHROMIUM_PATH to one.',
  )
}
