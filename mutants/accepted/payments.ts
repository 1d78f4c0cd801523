import type { Accepted } from './accepted.ts'

export const payments: readonly Accepted[] = [
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
    path: 'src/payments/card-testing/decline-store.ts',
    change: 'order by created_at [-desc-]{+asc+} limit ${of.max}',
    reason: 'Only how many rows there are is used; the order keeps the planner on the index of the list.',
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
    path: 'src/payments/items.ts',
    change: 'total[- < -]{+ <= +}0n ? -t',
    reason: 'Zero has no sign.',
  },
  {
    path: 'src/payments/personal/personal-store.ts',
    change: "and [-mode in ('live', 'test')-]{+true+} and lower(email) = lower(${of.email})",
    reason: 'There are no other modes; they are named for the index.',
  },
]
