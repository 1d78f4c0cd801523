import type { Accepted } from './accepted.ts'

const sizes = [
  ['attempts/apply-outcome.ts', 'const batchSizeMax = [-100-]'],
  ['attempts/apply-outcome.ts', 'const batchesInFlight = [-2-]'],
  ['attempts/due-look-store.ts', 'const oldestMax = [-10_000-]'],
  ['attempts/expire-payments.ts', 'const merchantsMax = [-100-]'],
  ['attempts/expire-payments.ts', 'const batchMax = [-500-]'],
  ['attempts/hosted/find-hosted.ts', 'const batchSizeMax = [-100-]'],
  ['attempts/hosted/find-hosted.ts', 'const batchesInFlight = [-2-]'],
  ['attempts/reconcile.ts', 'const claimMax = [-20-]'],
  ['attempts/start-attempt.ts', 'const batchSizeMax = [-100-]'],
  ['attempts/start-attempt.ts', 'const batchesInFlight = [-2-]'],
  ['attempts/unknown-attempts.ts', 'const merchantsAtOnce = [-1_000-]'],
  ['books/charge-store.ts', 'const atOnce = [-1_000-]'],
  ['books/read-charges.ts', 'const namesAtOnce = [-1_000-]'],
  ['card-testing/forget.ts', 'const merchantsMax = [-100-]'],
  ['checkout-view.ts', 'const batchSizeMax = [-100-]'],
  ['checkout-view.ts', 'const batchesInFlight = [-4-]'],
  ['create-payment.ts', 'const batchSizeMax = [-200-]'],
  ['create-payment.ts', 'const batchesInFlight = [-2-]'],
  ['create-payment.ts', 'const batchesInAll = [-8-]'],
  ['daily-totals/fold-totals.ts', 'const merchantsMax = [-1_000-]'],
  ['daily-totals/fold-totals.ts', 'const changesMax = [-5_000-]'],
  ['export-payments.ts', 'const pageSize = [-500-]'],
  ['find-payment.ts', 'const batchSizeMax = [-200-]'],
  ['find-payment.ts', 'const batchesInFlight = [-4-]'],
] as const

export const payments: readonly Accepted[] = [
  ...sizes.map(([path, change]) => ({
    path: `src/payments/${path}`,
    change,
    reason: 'How much is done at once, or together: of one more nobody could tell.',
  })),
  {
    path: 'src/payments/card-testing/line.ts',
    change: 'if (places.size[- >= -]{+ > +}placesMax) forgetEmpty()',
    reason: 'Empty places are forgotten one place later.',
  },
  {
    path: 'src/payments/attempts/apply-outcome.ts',
    change: 'ended.length[- > -]{+ >= +}0',
    reason: 'Saves counting the declines of no payment.',
  },
  {
    path: 'src/payments/card-testing/decline-store.ts',
    change: '(levelName(one)[- < -]{+ <= +}levelName(other) ? -1 : 1)',
    reason: 'No two levels that are counted together have one name.',
  },
  {
    path: 'src/payments/attempts/check-schedule.ts',
    change: 'return endsAt && endsAt[- < -]{+ <= +}next',
    reason: 'Where both are the same moment, either may be returned.',
  },
  {
    path: 'src/payments/attempts/hosted/hosted-store.ts',
    change: 'where merchant_id = ${merchantId} and [-number = any(${numbers}::text[])-]{+true+}',
    reason: 'Saves reading the others of the merchant, which are left aside.',
  },
  {
    path: 'src/payments/attempts/hosted/hosted-store.ts',
    change: 'where [-idempotency_key = any(${idempotencyKeys}::text[])-]{+true+}',
    reason: 'Saves reading the others of the merchant, which are left aside.',
  },
  {
    path: 'src/payments/attempts/insert-attempts-store.ts',
    change:
      'join attempts on attempts.merchant_id = ${merchantId} and [-attempts.number = asked.number-]{+true+}',
    reason: 'A key of a merchant has one attempt; its number is for the index.',
  },
  {
    path: 'src/payments/attempts/insert-attempts-store.ts',
    change: 'and [-payments.language is distinct from asked.language-]{+true+}',
    reason: 'Saves a write of what is there already.',
  },
  {
    path: 'src/payments/attempts/expire-payments.ts',
    change: 'if ([-numbers.length === 0-]{+false+}) return 0',
    reason: 'Saves statements that would end nothing.',
  },
  {
    path: 'src/payments/attempts/move-attempt.ts',
    change: 'if ([-changes.length === 0-]{+false+}) return new Map()',
    reason: 'Saves statements that would move nothing.',
  },
  {
    path: 'src/payments/books/read-charges.ts',
    change: 'if ([-references.length === 0-]{+false+}) return known',
    reason: 'Saves statements that would find nothing.',
  },
  {
    path: 'src/payments/books/read-charges.ts',
    change: 'for (let at = 0; at[- < -]{+ <= +}references.length; at += namesAtOnce) {',
    reason: 'One statement more, about no name, which finds nothing.',
  },
  {
    path: 'src/payments/card-testing/decline-store.ts',
    change: 'order by created_at [-desc-]{+asc+} limit ${of.max}',
    reason: 'Only how many rows there are is used; the order keeps the planner on the index of the list.',
  },
  {
    path: 'src/payments/card-testing/judge.ts',
    change: 'return one[- > -]{+ >= +}other ? one : other',
    reason: 'Where both are the same moment, either may be taken.',
  },
  {
    path: 'src/payments/card-testing/note-declines.ts',
    change: 'if ([-declined.length === 0-]{+false+}) return',
    reason: 'Saves asking the database to count nothing.',
  },
  {
    path: 'src/payments/card-testing/limits.ts',
    change: 'const from = declines && declines.at[- > -]{+ >= +}open.newest',
    reason: 'Where both are the same moment, either may be taken.',
  },
  {
    path: 'src/payments/card-testing/proof.ts',
    change: 'return start[- < -]{+ <= +}2 ** (32 - bits)',
    reason: 'One hash of four thousand million.',
  },
  {
    path: 'src/payments/daily-totals/total-store.ts',
    change: 'const lockName = [-1_907-]',
    reason: 'The name of a lock, which any number is.',
  },
  {
    path: 'src/payments/card-testing/line.ts',
    change: 'const placesMax = [-10_000-]{+10001+}',
    reason: 'How many places are remembered is a matter of memory, and no promise.',
  },
  {
    path: 'src/payments/create-store.ts',
    change: "created_at[- < -]{+ <= +}now() - interval '24 hours'",
    reason:
      'The moment of the statement has microseconds: no test can name it, and nobody minds which side it is on.',
  },
  {
    path: 'src/payments/daily-totals/fold-totals.ts',
    change: 'if (changes.length[- > -]{+ >= +}0) await addToTotals(tx, merchantId, changes)',
    reason: 'Saves a statement that would add nothing.',
  },
  {
    path: 'src/payments/create-payment.ts',
    change: 'return a[- < -]{+ <= +}b ? -1',
    reason: 'Two that are equal want the same lock, whichever stands first.',
  },
  {
    path: 'src/payments/create-payment.ts',
    change: 'return a < b ? -1 : a[- > -]{+ >= +}b ? 1 : 0',
    reason: 'Two that are equal want the same lock, whichever stands first.',
  },
  {
    path: 'src/payments/create-store.ts',
    change: 'payments.length[- > -]{+ >= +}1 && keys.length > 0',
    reason: 'A payment that is alone needs no order of locks, and would take the lock of its key to no harm.',
  },
  {
    path: 'src/payments/find-payment.ts',
    change: 'if ([-txRefs.length === 0-]{+false+}) return new Map()',
    reason: 'Saves a statement that would find nothing.',
  },
  {
    path: 'src/payments/items.ts',
    change: 'total[- < -]{+ <= +}0n ? -t',
    reason: 'Zero has no sign.',
  },
  {
    path: 'src/payments/transition.ts',
    change: 'return moved ?? { moved: [-false-]{+true+}, payment }',
    reason: 'For the types alone: of one change there is one answer.',
  },
  {
    path: 'src/payments/transition.ts',
    change: 'if ([-allowed.length === 0-]{+false+})',
    reason: 'Saves statements that would move nothing.',
  },
  {
    path: 'src/payments/personal/personal-store.ts',
    change: "and [-mode in ('live', 'test')-]{+true+} and lower(email) = lower(${of.email})",
    reason: 'There are no other modes; they are named for the index.',
  },
]
