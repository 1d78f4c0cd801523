import type { Config } from '../../../platform/settings/config.ts'
import { distribute, planDistribution, type Plan } from '../distribute.ts'
import { withDatabaseUrl } from '../../../cli/reach/with-database.ts'
import { flag, readArguments } from '../../../cli/terminal/arguments.ts'
import { confirmed } from '../../../cli/terminal/confirmed.ts'
import { print, printFacts } from '../../../cli/terminal/print.ts'

export const distributeHelp = `florin distribute [--yes] [--json]

  Distributes the database in DATABASE_URL over the nodes of a Citus cluster:
  each merchant's rows on one node. Shows the plan and asks first. DATABASE_URL
  must be the coordinator, migrated, with its nodes added; stop all servers and
  workers first. It is one transaction: if it is interrupted, nothing has
  changed, and running it twice does no harm.

  Only a dump can undo it: read docs/scaling.md first.

  --yes    don't ask`

export async function runDistribute(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { yes: { type: 'boolean' }, json: { type: 'boolean' } })
  const isJson = flag(parsed, 'json')
  const work = async (url: string): Promise<Plan> => {
    const plan = await planDistribution(url)
    if (!isJson) printPlan(plan)
    if (plan.tables.length > 0) await confirmed(parsed, `Spread ${plan.tables.length} tables now?`)
    // Also with nothing to spread: an earlier run may have been interrupted before it had tidied up.
    await distribute(url, (table) => isJson || print(`spread ${table}`))
    return plan
  }
  const { version, nodes, tables } = await withDatabaseUrl(config, work, { asOwner: true })
  if (isJson) return print(JSON.stringify({ version, nodes, spread: tables }))
  print(tables.length === 0 ? 'All tables are spread' : 'The database is spread. Start the servers again.')
}

function printPlan({ version, nodes, shards, tables, onCoordinator }: Plan): void {
  printFacts({
    Citus: version,
    Nodes: nodes.join(', '),
    Spread: tables.length === 0 ? 'nothing left to do' : `${tables.length} tables in ${shards} shards each`,
    Stay: `${onCoordinator.length} tables on the coordinator`,
  })
}
