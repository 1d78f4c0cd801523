import { readFileSync } from 'node:fs'
import {
  credentialLengthMax,
  isCredential,
  missingCredentials,
} from '../../core/networks/connect/credential-rules.ts'
import type { HostedConnector } from '../../core/networks/hosted.ts'
import type { Credentials } from '../../core/merchants/accounts/stored-accounts.ts'
import { text, UsageMistake, type Parsed } from '../terminal/arguments.ts'
import { askHidden, canAsk } from '../terminal/prompt.ts'

// Credentials come from a question that shows nothing, or from a file. Never from an argument: that stays in the history of
// the shell, and everybody on the machine can list it. No message here repeats what was given.

/** `before`: the stored credentials; a file or an empty answer keeps those it doesn't name. */
export async function readCredentials(
  network: HostedConnector,
  parsed: Parsed,
  before: Credentials = {},
): Promise<Credentials> {
  const path = text(parsed, 'file')
  const given = path === undefined ? await askFor(network, before) : readFile(network, path)
  const all = { ...before, ...given }
  const missing = missingCredentials(network, all)
  if (missing.length > 0) {
    const names = missing.map(({ name, label }) => `${name} (${label})`).join(' and ')
    throw new UsageMistake(`${network.label} needs ${names}`)
  }
  return all
}

async function askFor(network: HostedConnector, before: Credentials): Promise<Credentials> {
  if (!canAsk()) {
    const names = network.credentials.map(({ name }) => name).join(', ')
    throw new UsageMistake(
      `There is no terminal to ask for credentials: use --file with ${names}, or - for standard input`,
    )
  }
  const given: Record<string, string> = {}
  const isNew = Object.keys(before).length === 0
  for (const { name, label, optional } of network.credentials) {
    // Credentials that Florin gets itself when it sets up callbacks.
    if (isNew && optional && network.setUpCallback) continue
    const ending = before[name] ? ', Enter keeps the current value' : optional ? ', Enter to skip' : ''
    const answer = await askHidden(`${label} of ${network.label} (not shown${ending}): `)
    if (answer.trim() !== '') given[name] = checked(name, answer.trim())
  }
  return given
}

function readFile(network: HostedConnector, path: string): Credentials {
  const content = contentOf(path)
  const pairs = content.trimStart().startsWith('{') ? readJson(content) : readLines(content)
  const names = network.credentials.map(({ name }) => name)
  const given: Record<string, string> = {}
  for (const [name, value] of pairs) {
    if (!names.includes(name))
      throw new UsageMistake(
        `The --file file has an unknown name: ${network.label} takes ${names.join(', ')}`,
      )
    if (value !== '') given[name] = checked(name, value)
  }
  return given
}

function contentOf(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    // Without the path: who puts the secret itself there would see it on the screen, and in a script's log.
    const { code } = error as NodeJS.ErrnoException
    throw new UsageMistake(`The --file file can't be read (${code})`)
  }
}

function readJson(content: string): [string, string][] {
  try {
    const entries = Object.entries(JSON.parse(content) as Record<string, unknown>)
    return entries.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : noText(name)])
  } catch (error) {
    if (error instanceof UsageMistake) throw error
    throw new UsageMistake('The --file file is not valid JSON')
  }
}

function noText(name: string): never {
  throw new UsageMistake(`${/^\w{1,40}$/.test(name) ? name : 'A value'} in the --file file must be text`)
}

/** `name=value`, a line each, as in .env. */
function readLines(content: string): [string, string][] {
  return content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const at = line.indexOf('=')
      if (at < 1) throw new UsageMistake('The --file file must have lines of name=value, or be JSON')
      const value = line.slice(at + 1).trim()
      return [line.slice(0, at).trim(), value.replace(/^(["'])(.*)\1$/, '$2')]
    })
}

function checked(name: string, value: string): string {
  if (isCredential(value)) return value
  throw new UsageMistake(
    `${name} must be one word of at most ${credentialLengthMax} characters, without spaces`,
  )
}
