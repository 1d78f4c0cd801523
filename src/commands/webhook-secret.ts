import type { Config } from '../config.ts'
import { rollWebhookSecret, webhookSecrets } from '../notifications/webhook-secrets.ts'
import { flag, oneOf, print, readArguments, text, UsageMistake, wholeNumber } from './arguments.ts'
import { whose } from './whose.ts'
import { withDatabase } from './with-database.ts'

export const webhookSecretHelp = `florin webhook-secret show [--mode test|live] [--json]
florin webhook-secret roll [--mode test|live] [--overlap HOURS] [--json]

  The secret that notifications are signed with, one per mode (test when left out). roll prints the new one; for 0 to
  72 hours (24) notifications carry the signatures of both.
  --merchant NUMBER says whose secret; it may be left out while there is only one merchant.`

const modes = ['test', 'live'] as const

export async function webhookSecret(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb !== 'show' && verb !== 'roll') {
    throw new UsageMistake('Say what to do: florin webhook-secret show or roll')
  }
  const parsed = readArguments(rest, {
    merchant: { type: 'string' },
    mode: { type: 'string' },
    json: { type: 'boolean' },
    ...(verb === 'roll' && { overlap: { type: 'string' as const } }),
  })
  const mode = oneOf('mode', text(parsed, 'mode') ?? 'test', modes)
  const overlap = wholeNumber(parsed, 'overlap') ?? 24
  const rows = await withDatabase(config, async (db) => {
    const owner = { merchantId: await whose(db, parsed), mode }
    if (verb === 'roll') await rollWebhookSecret(db, owner, overlap)
    return webhookSecrets(db, owner)
  })
  if (flag(parsed, 'json')) return print(JSON.stringify(rows))
  print(rows[0]?.secret ?? '')
}
