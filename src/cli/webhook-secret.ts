import type { Config } from '../platform/settings/config.ts'
import { rollWebhookSecret, webhookSecrets } from '../core/notifications/ipn/webhook-secrets.ts'
import { flag, modeOption, overlap, readArguments, UsageMistake } from './terminal/arguments.ts'
import { print } from './terminal/print.ts'
import { byCommandLine } from './reach/who.ts'
import { whose } from './reach/whose.ts'
import { withSecrets } from './reach/with-database.ts'

export const webhookSecretHelp = `florin webhook-secret show [--mode test|live] [--json]
florin webhook-secret roll [--mode test|live] [--overlap HOURS] [--json]

  The secret that signs notifications, one per mode. roll prints the new one;
  during the overlap notifications carry both signatures.

  --mode       test|live (test)
  --overlap    for how many hours the old secret stays valid, 0 to 72 (24)
  --merchant   the merchant's number; not needed while there is only one`

export async function webhookSecret(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb !== 'show' && verb !== 'roll') {
    throw new UsageMistake('Name a subcommand: florin webhook-secret show or roll')
  }
  const parsed = readArguments(rest, {
    merchant: { type: 'string' },
    mode: { type: 'string' },
    json: { type: 'boolean' },
    ...(verb === 'roll' && { overlap: { type: 'string' as const } }),
  })
  const mode = modeOption(parsed)
  const hours = overlap(parsed)
  const rows = await withSecrets(config, async (keeping) => {
    const owner = { merchantId: await whose(keeping.db, parsed), mode }
    if (verb === 'roll') await rollWebhookSecret(keeping, owner, hours, byCommandLine())
    return webhookSecrets(keeping, owner)
  })
  if (flag(parsed, 'json')) return print(JSON.stringify(rows))
  print(rows[0]?.secret ?? '')
}
