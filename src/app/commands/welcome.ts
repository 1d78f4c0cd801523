import type { Config } from '../../platform/settings/config.ts'
import type { Database } from '../../platform/database/database.ts'
import { createKey } from '../../core/merchants/change-keys.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import { listMerchants } from '../../core/merchants/list.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { bySystem } from '../../core/audit/audit.ts'
import { makeSignInLink } from '../../dashboard/people/sign-in-link.ts'
import { addOwner } from '../../dashboard/people/sign-up.ts'
import { webhookSecrets } from '../../core/notifications/ipn/webhook-secrets.ts'
import { isTrial, type Announce } from '../../cli/terminal/announce.ts'
import { accent, print, quiet, strong } from '../../cli/terminal/print.ts'

// The first start on an embedded database: a merchant to try things with, and everything needed to do so.

type Demo = {
  readonly merchantId: number
  readonly secretKey: string
  readonly apiKey: string
  readonly webhookSecret: string
  /** Signs the owner in, once. */
  readonly signInPath: string
}

/** Changes name and address on the first visit, or later. */
const demoOwner = { email: 'owner@demo.example', name: 'Demo owner' }

type SecretStore = { readonly db: Database; readonly secrets: Secrets }

export async function hasMerchant(db: Database): Promise<boolean> {
  return (await listMerchants(db)).length > 0
}

/** Makes the demo merchant. Says how to use it, or where its secrets would end up in a log, which commands show them. */
export async function welcome(config: Config, keeping: SecretStore, { done }: Announce): Promise<void> {
  const merchantId = await createMerchant(keeping.db, { name: 'Demo shop' })
  const personId = await addOwner(keeping.db, merchantId, demoOwner, bySystem)
  if (isTrial(config)) printWelcome(config.BASE_URL, await drawSecrets(keeping, merchantId, personId))
  else done(secretsKeptBack)
}

const secretsKeptBack =
  'First start, with a demo merchant in test mode. Keys and links are never logged; get them with: ' +
  'bin/florin sign-in-link, bin/florin key create, bin/florin webhook-secret show'

async function drawSecrets(keeping: SecretStore, merchantId: number, personId: string): Promise<Demo> {
  const { db } = keeping
  const secret = await createKey(db, merchantId, { kind: 'secret', mode: 'test', name: 'first test key' })
  const api = await createKey(db, merchantId, { kind: 'api', name: 'first API key' })
  const [webhook] = await webhookSecrets(keeping, { merchantId, mode: 'test' })
  return {
    merchantId,
    secretKey: secret.key,
    apiKey: api.key,
    webhookSecret: webhook?.secret ?? '',
    signInPath: await makeSignInLink(db, { personId }, bySystem),
  }
}

function printWelcome(baseUrl: string, demo: Demo): void {
  const fact = (name: string, value: string): string => `  ${quiet(name.padEnd(14))}  ${value}`
  const lines = [
    '',
    `  ${strong('Florin')}  ${quiet('first start, with a demo merchant in test mode')}`,
    '',
    fact('Base URL', baseUrl),
    fact('Reference', `${baseUrl}/docs`),
    fact('Merchant', `${demo.merchantId}  Demo shop`),
    fact('Secret key', accent(demo.secretKey)),
    fact('API key', accent(demo.apiKey)),
    fact('Webhook secret', accent(demo.webhookSecret)),
    '',
    `  ${quiet('These keys are shown only once. Create more with')} bin/florin key create`,
    '',
    `  ${quiet('Open the dashboard: this link works once, within 15 minutes; after that use')} ${settingFor(baseUrl)}bin/florin sign-in-link`,
    '',
    `${baseUrl}${demo.signInPath}`,
    '',
    `  ${quiet('Try it: create a payment, then open the returned checkout_url')}`,
    '',
    createLine(baseUrl, demo.secretKey),
    '',
    `  ${quiet('Watch your notifications in another terminal; it asks for the secret key')}`,
    '',
    `${settingFor(baseUrl)}bin/florin listen`,
    '',
    `  ${quiet('To take real money later, connect a network:')} bin/florin connector add stripe`,
    '',
  ]
  for (const line of lines) print(line)
}

/** Flush left, so that it can be copied and pasted as it is; the shell's time makes each tx_ref new. */
function createLine(baseUrl: string, secretKey: string): string {
  const customer = `"email":"ada@example.com","first_name":"Ada","last_name":"Lovelace"`
  const body = `'{"tx_ref":"order-'$(date +%s)'","amount":"10.00","currency":"GBP",${customer}}'`
  const headers = `-H 'Authorization: Bearer ${secretKey}' -H 'Content-Type: application/json'`
  return `curl ${baseUrl}/api/payment ${headers} -d ${body}`
}

/** A command in another terminal knows nothing of a PORT that was set in this one. */
function settingFor(baseUrl: string): string {
  return baseUrl === 'http://127.0.0.1:3000' ? '' : `BASE_URL=${baseUrl} `
}
