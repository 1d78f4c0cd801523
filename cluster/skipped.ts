// Florin's own tests that `npm run cluster` leaves out, because the test itself does what Citus refuses. What
// Florin does is never a reason: such a test fails until Florin is mended. A test holds the names true.

export type Skipped = { readonly file: string; readonly tests: readonly string[]; readonly reason: string }

const trigger = 'adds a trigger, and a spread table takes none'
const noPassword = 'needs a password, and these nodes let everybody in'
const limitOfEach = 'counts by the limit of a look, which each node keeps by itself'
const oneOrder = 'expects one order of all merchants, and a look takes them from each node in turn'
const sharedCommits = 'is about commits that merchants share, and on a cluster none do'
const ownSettings = 'switches a setting of one PostgreSQL, and names it alone'

export const skipped: readonly Skipped[] = [
  {
    file: 'src/core/audit/audit-store.test.ts',
    tests: [
      'merchants with matching entries are found, those with the newest entries first',
      'merchants with entries older than a given moment are found',
    ],
    reason: limitOfEach,
  },
  {
    file: 'src/core/notifications/data/prune-look-store.test.ts',
    tests: ['merchants to prune are distinct and limited in number'],
    reason: limitOfEach,
  },
  {
    file: 'src/core/audit/old-entries.test.ts',
    tests: ['old entries are pruned for 100 merchants at a time'],
    reason: limitOfEach,
  },
  {
    file: 'src/modules/links/store.test.ts',
    tests: ['merchants with an open payment to check are found, longest waiting first'],
    reason: oneOrder,
  },
  {
    file: 'src/modules/payouts/ask/feed-store.test.ts',
    tests: ['merchants with a due account are found, longest waiting first'],
    reason: oneOrder,
  },
  {
    file: 'src/core/payments/attempts/reconcile.test.ts',
    tests: ['the job waits two seconds at most, and leaves no timer behind'],
    reason: 'counts timers, and the connections to nodes have some',
  },
  {
    file: 'src/dashboard/people/team/team-store.test.ts',
    tests: ['members are listed in joining order, and locked for one merchant'],
    reason: 'locks rows of two merchants in one statement',
  },
  {
    file: 'test/flows/commands-as-processes.test.ts',
    tests: ['every command gives the same result as a process and inside a test'],
    reason: 'expects that there is nothing to distribute',
  },
  {
    file: 'test/flows/expiry.test.ts',
    tests: [
      'a payment that can’t expire doesn’t keep the others open',
      'a payment stays open if an attempt starts while it is expiring',
    ],
    reason: trigger,
  },
  {
    file: 'test/flows/due-by-merchant.test.ts',
    tests: [
      'a merchant’s payments that can’t expire don’t keep another merchant’s open',
      'a merchant’s attempts that can’t be claimed don’t keep another merchant’s unknown',
    ],
    reason: trigger,
  },
  {
    file: 'test/flows/ipn-many-merchants.long.test.ts',
    tests: ['a merchant that can’t be claimed, or whose results can’t be written, doesn’t hold up others'],
    reason: trigger,
  },
  {
    file: 'test/flows/use-of-keys.test.ts',
    tests: ['when one key’s use can’t be recorded others’ still is; when none can, it soon gives up'],
    reason: trigger,
  },
  {
    file: 'test/flows/ipn-many-merchants.long.test.ts',
    tests: ['more than a thousand merchants, and more than a thousand receivers of one, all get their turn'],
    reason: 'locks rows of a thousand merchants in one statement',
  },
  {
    file: 'src/core/merchants/accounts/stored-accounts.test.ts',
    tests: ['a row moved to another merchant can’t be decrypted there'],
    reason: 'gives a row to another merchant, which Citus refuses to everybody',
  },
  {
    file: 'src/modules/request-log/flows/request-log.test.ts',
    tests: ['lines of several merchants share a commit, and only refused ones are lost'],
    reason: sharedCommits,
  },
  {
    file: 'src/modules/request-log/request-log.written.test.ts',
    tests: [
      'lines of many merchants are written in one commit per hundred, and on a cluster each in its own',
    ],
    reason: sharedCommits,
  },
  {
    file: 'src/platform/database/spread/foreign-keys.test.ts',
    tests: ['all migrations create the same foreign keys when added after the tables'],
    reason: 'counts the foreign keys of all tables, and Citus has some',
  },
  {
    file: 'src/app/health.test.ts',
    tests: ['a stopping server is alive but not ready, so that the proxy sends customers elsewhere'],
    reason:
      'expects the answer of a single PostgreSQL; that of a cluster is expected by cluster/short.test.ts',
  },
  {
    file: 'test/flows/command-line.test.ts',
    tests: ['an unusable database is one line, not a stack trace, and never its password'],
    reason: noPassword,
  },
  {
    file: 'test/flows/threats-canaries.test.ts',
    tests: ['none of our passwords is stored anywhere'],
    reason: noPassword,
  },
  {
    file: 'test/flows/unsafe-database.long.test.ts',
    tests: [
      'a merchant can’t go live on a database that may lose payments',
      'the server and the worker refuse to start when a merchant is live',
      'synchronous_commit is checked as set for our own connections',
    ],
    reason: ownSettings,
  },
  {
    file: 'test/flows/command-line-connectors.test.ts',
    tests: [
      'a merchant goes live when everything is ready, and otherwise sees what is missing and what to do',
    ],
    reason: ownSettings,
  },
  {
    file: 'test/flows/status.test.ts',
    tests: ['when all is well status says so, with what it checked'],
    reason:
      'expects the lines of a single PostgreSQL; those of a cluster are expected by cluster/move-under-load.ts',
  },
]

/** Whole files, in which nothing is asked of a cluster. */
export type SkippedFile = { readonly file: string; readonly reason: string }

const ownPostgres = 'starts a PostgreSQL of its own'

export const skippedFiles: readonly SkippedFile[] = [
  {
    file: 'src/platform/database/batch.group.test.ts',
    reason: sharedCommits,
  },
  {
    file: 'src/core/notifications/deliver/recorder.written.test.ts',
    reason: sharedCommits,
  },
  { file: 'src/modules/request-log/prune-look-store.test.ts', reason: limitOfEach },
  { file: 'test/flows/application-role.test.ts', reason: ownPostgres },
  {
    file: 'src/modules/backup/flows/backup.test.ts',
    reason:
      'holds the rows of a spread database against plain ones; cluster/backups.ts asks the same of a cluster',
  },
  { file: 'test/flows/database-away.test.ts', reason: ownPostgres },
  { file: 'test/flows/database-certificate.test.ts', reason: ownPostgres },
  { file: 'test/flows/first-install.test.ts', reason: ownPostgres },
  { file: 'test/flows/first-start.test.ts', reason: ownPostgres },
  { file: 'test/flows/ipn-recorded-again.test.ts', reason: trigger },
  { file: 'test/flows/npm-signals.long.test.ts', reason: ownPostgres },
  { file: 'test/flows/playground.test.ts', reason: ownPostgres },
]

/** For Node's test runner, which knows tests by their names alone. */
export function skipPatterns(): string[] {
  return skipped.flatMap(({ tests }) => tests.map((name) => `--test-skip-pattern=/^${RegExp.escape(name)}$/`))
}
