import type { Module } from '../modules/module.ts'
import type { Database } from '../platform/database/database.ts'
import { filledTables } from '../platform/database/filled-tables.ts'
import { readMigrations } from '../platform/database/migrate.ts'
import { tableNamesOf } from '../platform/database/table-names.ts'
import { Refusal } from '../platform/errors/refusals.ts'
import { allModules } from './modules.ts'

/** Of the core, the people of the dashboard and the platform. All others belong to modules. */
export const coreTables: readonly string[] = [
  'merchants',
  'merchant_currencies',
  'merchant_brands',
  'pictures',
  'keys',
  'connector_accounts',
  'installation_accounts',
  'installation_secrets',
  'installation_times',
  'audit_log',
  'people',
  'sessions',
  'known_devices',
  'passkeys',
  'passkey_challenges',
  'recovery_codes',
  'person_identities',
  'openid_flows',
  'person_links',
  'sign_in_waits',
  'memberships',
  'invitations',
  'projects',
  'project_counts',
  'payments',
  'payment_history',
  'payment_notes',
  'attempts',
  'search_slices',
  'search_entries',
  'daily_totals',
  'daily_total_changes',
  'decline_levels',
  'card_attacks',
  'form_refusals',
  'deliveries',
  'delivery_attempts',
  'endpoints',
  'endpoint_secrets',
  'receivers',
  'webhook_secrets',
  'callback_events',
  'test_network.charges',
  'test_network.card_refunds',
  'test_network.saved_cards',
  'test_network.pages',
  'test_network.refunds',
  'test_network.payouts',
  'test_network.payout_items',
]

/**
 * Rows of a module that isn’t there would be erased, pruned and encrypted again by nobody: servers don’t start, and commands
 * that need every row are refused. Asks the database only if a
 * module is missing.
 */
export async function refuseLeftOut(db: Database, modules: readonly Module[] = allModules): Promise<void> {
  const known = new Set([...coreTables, ...modules.flatMap(({ tables = [] }) => tables)])
  const unknown = tableNamesOf(readMigrations()).filter((table) => !known.has(table))
  const filled = await filledTables(db, unknown)
  if (filled.length === 0) return
  throw new Refusal(
    'unavailable',
    `This Florin is built without a module that this database has rows of: ${filled.join(', ')}. Put its line back into src/app/modules.ts.`,
  )
}
