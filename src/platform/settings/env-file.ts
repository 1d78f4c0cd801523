import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

type EnvFile = { readonly values: NodeJS.Dict<string>; readonly mistakes: readonly string[] }

export function readEnvFile(folder: string): EnvFile {
  const file = resolve(folder, '.env')
  if (!existsSync(file)) return { values: {}, mistakes: [] }
  try {
    const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
    return { values: parseEnv(text), mistakes: oddLines(text) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EISDIR' ? 'it is a directory' : code
    return {
      values: {},
      mistakes: [`${file} can't be read: ${reason}. Make it a file with lines such as PORT=3000`],
    }
  }
}

// A value in quotes may have several lines.
const assignment = /^[ \t]*(export[ \t]+)?[\w.-]+[ \t]*=[ \t]*("[^"]*"|'[^']*'|`[^`]*`|.*)/gm

/** Lines that parseEnv would silently skip. They aren't quoted: one may contain a password. */
function oddLines(text: string): string[] {
  const rest = text.replace(assignment, (found) => found.replace(/[^\n]/g, ''))
  return rest
    .split('\n')
    .flatMap((line, index) =>
      /^\s*(#|$)/.test(line) ? [] : [`Line ${index + 1} of .env is not NAME=value. Example: PORT=3000`],
    )
}
