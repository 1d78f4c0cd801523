import { parseArgs } from 'node:util'

// npm run bench [-- --quick | --full] [--merchants N] [--against FOLDER|COMMIT [--other-merchants N]] [--only name,…] [name …]

export type Options = {
  readonly scale: 'quick' | 'usual' | 'full'
  /** Empty: all that run without being named. */
  readonly names: readonly string[]
  readonly merchants: number
  /** Of the other checkout, where that is not the same number: what many cost beside one. */
  readonly otherMerchants: number
  /** The folder of another checkout, or a commit or tag of this one. */
  readonly against: string | undefined
}

const options = {
  quick: { type: 'boolean', default: false },
  full: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  merchants: { type: 'string', default: '1' },
  'other-merchants': { type: 'string' },
  against: { type: 'string' },
} as const

/** A string says what is wrong with them. */
export function readOptions(
  args: readonly string[],
  known: { readonly alone: readonly string[]; readonly against: readonly string[] },
): Options | string {
  let parsed
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const allowed = Object.keys(options).map((name) => `--${name}`)
    return `${(error as Error).message.replace(/\.\s.*/s, '')}. Allowed: ${allowed.join(' ')}`
  }
  const { values, positionals } = parsed
  const names = [...positionals, ...(values.only ?? []).flatMap((list) => list.split(','))].filter(Boolean)
  const allowed = values.against === undefined ? known.alone : known.against
  const odd = names.find((name) => !allowed.includes(name))
  if (odd !== undefined) {
    const where = values.against === undefined ? '' : ' against another checkout'
    return `There is nothing called "${odd}" to measure${where}. Allowed: ${allowed.join(' ')}`
  }
  const otherMerchants = values['other-merchants'] ?? values.merchants
  if (![values.merchants, otherMerchants].every((count) => /^[1-9]\d{0,3}$/.test(count)))
    return '--merchants and --other-merchants must be whole numbers, 1 to 9999'
  const scale = values.quick ? 'quick' : values.full ? 'full' : 'usual'
  return {
    scale,
    names,
    merchants: Number(values.merchants),
    otherMerchants: Number(otherMerchants),
    against: values.against,
  }
}
