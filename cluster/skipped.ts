// Florin's own tests that `npm run cluster` leaves out, because the test itself does what Citus refuses. What
// Florin does is never a reason: such a test fails until Florin is mended. A test holds the names true.

export type Skipped = { readonly file: string; readonly tests: readonly string[]; readonly reason: string }

const trigger = 'adds a trigger, and a spread table takes none'

export const skipped: readonly Skipped[] = [
  {
    file: 'test/flows/expiry.test.ts',
    tests: [
      'one payment that can not be ended does not keep the others open',
      'a payment whose attempt began while it was about to be ended stays open',
    ],
    reason: trigger,
  },
  {
    file: 'test/flows/due-by-merchant.test.ts',
    tests: [
      "payments of a merchant that can't be ended do not keep another merchant's open",
      "attempts of a merchant that can't be claimed do not keep another merchant's unknown",
    ],
    reason: trigger,
  },
  {
    file: 'test/flows/ipn-many-merchants.test.ts',
    tests: ['a merchant that can not be claimed, or whose results can not be written, holds up nobody'],
    reason: trigger,
  },
  {
    file: 'test/flows/use-of-keys.test.ts',
    tests: [
      'where the use of one key can not be written, that of others is; where none can, it is soon given up',
    ],
    reason: trigger,
  },
  {
    file: 'test/flows/ipn-many-merchants.test.ts',
    tests: ['more than a thousand merchants, and more than a thousand receivers of one, all have their turn'],
    reason: 'locks rows of a thousand merchants in one statement',
  },
  {
    file: 'src/merchants/accounts/stored-accounts.test.ts',
    tests: ['a row that is moved to another merchant does not open there'],
    reason: 'gives a row to another merchant, which Citus refuses to everybody',
  },
]

/** Whole files, in which nothing is asked of a cluster. */
export type SkippedFile = { readonly file: string; readonly reason: string }

const ownPostgres = 'starts a PostgreSQL of its own'

export const skippedFiles: readonly SkippedFile[] = [
  { file: 'test/flows/application-role.test.ts', reason: ownPostgres },
  { file: 'test/flows/database-away.test.ts', reason: ownPostgres },
  { file: 'test/flows/database-certificate.test.ts', reason: ownPostgres },
  { file: 'test/flows/first-install.test.ts', reason: ownPostgres },
  { file: 'test/flows/first-start.test.ts', reason: ownPostgres },
  { file: 'test/flows/npm-signals.test.ts', reason: ownPostgres },
  { file: 'test/flows/playground.test.ts', reason: ownPostgres },
]

/** For Node's test runner, which knows tests by their names alone. */
export function skipPatterns(): string[] {
  return skipped.flatMap(({ tests }) => tests.map((name) => `--test-skip-pattern=/^${RegExp.escape(name)}$/`))
}
