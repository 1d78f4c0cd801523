import { execFile } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { takeLock } from '../../bin/lock.js'

// The Chromium that npm brought (@sparticuz/chromium), for Linux on x64. The package is made for one process on a
// machine of its own: it unpacks to fixed names in the temporary folder, where a second process starts what the first
// still writes (ETXTBSY), and leaves its libraries packed. So we unpack everything, once, to a folder of ours.

/** A browser and what it needs in its environment beside ours; nothing else of ours may see that. */
export type Program = {
  readonly executablePath: string
  readonly environment?: Readonly<Record<string, string>>
}

const run = promisify(execFile)
const project = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const unfinished = '.new-'

/** The ways to start it: with the libraries it brought, and with the machine's, should those be too new for it. */
export async function packedChromium(places = unpackPlaces()): Promise<Program[]> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const folder = await unpackToFirst(places)
  const executablePath = join(folder, 'chromium')
  const fonts = { FONTCONFIG_PATH: join(folder, 'fonts') }
  const libraries = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  return [
    { executablePath, environment: { ...fonts, ...libraries } },
    { executablePath, environment: fonts },
  ]
}

/** Beside the package, where every run of this clone finds it again; else where this user may write. */
function unpackPlaces(): string[] {
  return [
    join(project, 'node_modules', '.cache', 'florin-chromium'),
    join(tmpdir(), `florin-chromium-of-${process.getuid?.()}`),
  ]
}

async function unpackToFirst(places: readonly string[]): Promise<string> {
  const refusals: unknown[] = []
  for (const place of places) {
    try {
      return await unpackOnce(place)
    } catch (error) {
      refusals.push(error)
    }
  }
  throw new AggregateError(refusals, 'the Chromium that npm brought could not be unpacked')
}

/** Many processes may ask at once: one unpacks, the others wait for it. */
export async function unpackOnce(place: string): Promise<string> {
  const home = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))))
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  const folder = join(place, `chromium-${version}`)
  mkdirSync(place, { recursive: true })
  refuseStrangers(place)
  if (existsSync(folder)) return folder
  const release = await takeLock(join(place, 'unpacking'))
  try {
    if (existsSync(folder)) return folder
    // Of one that was killed: whoever has the lock is the only one who unpacks.
    for (const name of readdirSync(place)) {
      if (name.includes(unfinished)) rmSync(join(place, name), { recursive: true, force: true })
    }
    const draft = `${folder}${unfinished}${process.pid}`
    mkdirSync(draft)
    await unpack(join(home, 'bin'), draft)
    writeFileSync(join(draft, 'fonts', 'fonts.conf'), fontSettings(folder))
    renameSync(draft, folder)
    return folder
  } finally {
    release()
  }
}

/** A name in the temporary folder is known to everyone: what another user put there is not started. */
function refuseStrangers(place: string): void {
  const { uid } = lstatSync(place)
  if (uid !== process.getuid?.() && uid !== 0) throw new Error(`${place} belongs to another user`)
}

/**
 * In a process of its own, since the package unpacks to the temporary folder and nowhere else. It ends with us, however
 * we end: its input closes. It doesn't call `process.exit()`, which waits forever for a thread that compiles if that
 * thread waits for memory to be collected (nodejs/node#54918).
 */
async function unpack(packed: string, folder: string): Promise<void> {
  const archives = readdirSync(packed).map((name) => join(packed, name))
  const program = `
    import { inflate } from '@sparticuz/chromium'
    process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume()
    await Promise.all(process.argv.slice(1).map((archive) => inflate(archive)))
    process.stdin.destroy()`
  await run(process.execPath, ['--input-type=module', '-e', program, ...archives], {
    cwd: project,
    env: { ...process.env, TMPDIR: folder },
  })
}

/** The package's own settings name folders of its usual home. Names that nothing here has become its Open Sans. */
function fontSettings(folder: string): string {
  const escaped = folder.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${escaped}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${escaped}/fonts-cache</cachedir>
  <match><edit name="family" mode="append_last"><string>Open Sans</string></edit></match>
</fontconfig>
`
}
