import type { Config } from '../../platform/settings/config.ts'
import { readKey } from '../../core/merchants/key-format.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import { text, UsageMistake, type Parsed } from '../terminal/arguments.ts'
import { askHidden, canAsk } from '../terminal/prompt.ts'
import type { Api } from './call-api.ts'

// Where the key of a command comes from: --key, FLORIN_KEY, or a question. An argument stays in the history of the
// shell and is seen by everybody who lists processes, so help names it last.

export const keyOption = { key: { type: 'string' } } as const

export const keyHelp = `The key is FLORIN_KEY, or Florin asks for it. --key works too, but
  your shell stores it in its history.`

const keyLength = 46

type Wanted = { readonly testOnly?: boolean }

export type KeyedApi = Api & { readonly mode: Mode }

export async function keyedApi(config: Config, parsed: Parsed, wanted: Wanted = {}): Promise<KeyedApi> {
  const { key, from } = await findKey(config, parsed, wanted)
  return { baseUrl: config.BASE_URL, key, mode: checked(key, from, wanted) }
}

/** The key that was given, if there is one. Nobody is asked. */
export function givenKey(config: Config, parsed: Parsed): { key: string; from: string } | undefined {
  const argument = text(parsed, 'key')
  if (argument !== undefined) return { key: argument.trim(), from: '--key' }
  return config.FLORIN_KEY === '' ? undefined : { key: config.FLORIN_KEY, from: 'FLORIN_KEY' }
}

async function findKey(config: Config, parsed: Parsed, { testOnly = false }: Wanted) {
  const given = givenKey(config, parsed)
  if (given !== undefined) return given
  const shape = testOnly ? 'sk_test_…' : 'sk_test_… or sk_live_…'
  if (!canAsk())
    throw new UsageMistake(
      `A secret key is required: set FLORIN_KEY to ${shape} (create one: florin key create)`,
    )
  const typed = await askHidden(`Secret key of ${config.BASE_URL} (${shape}, not shown): `)
  return { key: typed.trim(), from: 'The key' }
}

function checked(key: string, from: string, { testOnly = false }: Wanted): Mode {
  const shape = testOnly ? ' for test mode, sk_test_…' : ', sk_test_… or sk_live_…'
  if (!key.startsWith('sk_') || (testOnly && !key.startsWith('sk_test_')))
    throw new UsageMistake(`${from} must be a secret key${shape}`)
  // Its last characters are a checksum: a typo is reported here, without asking a server.
  const mode = readKey(key)?.mode
  if (mode === undefined)
    throw new UsageMistake(`${from} is mistyped or cut off: a secret key has ${keyLength} characters`)
  return mode
}
