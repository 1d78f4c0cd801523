// Bugs that no test notices, on purpose. `change` is a part of the line that `npm run mutants` prints.

export const accepted: readonly {
  readonly path: string
  readonly change: string
  readonly reason: string
}[] = [
  {
    path: 'src/payments/create-store.ts',
    change: "created_at[- < -]{+ <= +}now() - interval '24 hours'",
    reason:
      'The moment of the statement has microseconds: no test can name it, and nobody minds which side it is on.',
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
    path: 'src/money/money.ts',
    change: 'const maxWholeDigits = [-9-]{+10+}',
    reason: 'A number of ten digits is refused by the next rule, in the same words.',
  },
  {
    path: 'src/money/money.ts',
    change: 'if ([-whole.length > maxWholeDigits-]{+false+})',
    reason: 'Saves reading a number of 60,000 digits, which the next rule refuses in the same words.',
  },
  {
    path: 'src/money/money.ts',
    change: 'const digits = (minor[- < -]{+ <= +}0n ? -minor : minor)',
    reason: 'The negative of nothing is nothing.',
  },
  {
    path: 'src/money/money.ts',
    change: 'const maxFormatters = [-500-]{+501+}',
    reason: 'How many formatters are kept is a matter of memory; 500 is no promise.',
  },
  {
    path: 'src/money/money.ts',
    change: 'if ([-cached-]{+false+}) return cached',
    reason: 'Saves time: a formatter that is made again writes the same.',
  },
  {
    path: 'src/money/money.ts',
    change: 'formatters.',
    reason: 'The formatters that are kept save time, and change nothing that anybody reads.',
  },
  {
    path: 'src/payments/personal/personal-store.ts',
    change: "and [-mode in ('live', 'test')-]{+true+} and lower(email) = lower(${of.email})",
    reason: 'There are no other modes; they are named for the index.',
  },
  {
    path: 'src/notifications/keep/prune-look-store.ts',
    change: 'created_at[- < -]{+ <= +}${before}',
    reason: 'Whoever has one of that very moment is visited, and what is deleted there is asked for again.',
  },
  {
    path: 'src/http/rate-limit.ts',
    change: 'if (buckets.size[- >= -]{+ > +}bucketsMax) buckets.clear()',
    reason: 'How many callers are remembered is a matter of memory; one more is no harm.',
  },
  {
    path: 'src/http/log.ts',
    change: 'const pageMs = [-200-]{+201+}',
    reason: 'At most a fifth of a second late: nobody measures a millisecond of it.',
  },
  {
    path: 'src/http/sockets/limit-connections.ts',
    change: 'if (now - warnedAtMs[- < -]{+ <= +}warnEveryMs) return',
    reason: 'A warning a millisecond later is the same warning.',
  },
  {
    path: 'src/notifications/ipn/stored-secret.ts',
    change: 'if (remembered.size[- >= -]{+ > +}rememberedMax) remembered.clear()',
    reason: 'How many secrets are remembered is a matter of memory; one more is no harm.',
  },
  {
    path: 'src/http/csv/send-csv.ts',
    change: '{ objectMode: [-false-]{+true+} }',
    reason: 'The pieces are text either way; it decides how many bytes wait, and not what is sent.',
  },
  {
    path: 'src/notifications/mail/send-mail.ts',
    change: 'disableUrlAccess: [-true-]{+false+}',
    reason: 'A second lock: no letter of ours names a URL to be fetched.',
  },
  {
    path: 'src/notifications/mail/send-mail.ts',
    change: 'disableFileAccess: [-true-]{+false+}',
    reason: 'A second lock: no letter of ours names a file to be read.',
  },
  {
    path: 'src/notifications/follow.ts',
    change: 'const atOnce = [-100-]{+101+}',
    reason: 'How many are read at once is no promise.',
  },
  {
    path: 'src/notifications/follow.ts',
    change: 'if ([-found.length === 0-]{+false+}) return []',
    reason: 'Saves reading the secrets where there is nothing to sign.',
  },
  {
    path: 'src/merchants/requests/hide-in-body.ts',
    change: 'name.length[- <= -]{+ < +}40) judged.set',
    reason: 'Which names are remembered saves time: a name is judged the same each time.',
  },
  {
    path: 'src/http/log.ts',
    change: "if (page === ''[- || -]{+ && +}!isOpen) return",
    reason: 'An empty page writes nothing, and an output that was closed is read by nobody.',
  },
  {
    path: 'src/notifications/ipn/secret-store.ts',
    change: 'and [-mode = ${before.mode}-]{+true+} and id = ${before.id}',
    reason: 'A secret has its own number, which alone finds it; the mode is for the index.',
  },
  {
    path: 'src/payments/card-testing/line.ts',
    change: 'const placesMax = [-10_000-]{+10001+}',
    reason: 'How many places are remembered is a matter of memory, and no promise.',
  },
  {
    path: 'src/http/sockets/close-soon.ts',
    change: 'if ([-socket.destroyed-]{+false+}) return',
    reason: 'Nothing happens when a socket that is gone is ended; this saves its timer.',
  },
  {
    path: 'src/merchants/requests/list-requests.ts',
    change: 'const perPage = [-50-]{+51+}',
    reason:
      'How many lines stand on a page is a matter of looks; pages of any size follow one another without a gap.',
  },
  {
    path: 'src/http/sockets/limit-connections.ts',
    change: 'const warnEveryMs = [-60_000-]{+60001+}',
    reason: 'About once a minute.',
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
    path: 'src/http/log.ts',
    change: 'sync: [-false-]{+true+}',
    reason: 'What is written is the same; a slow reader of the output would hold up the server.',
  },
  {
    path: 'src/http/log.ts',
    change: 'isOpen = [-false-]{+true+}',
    reason: 'Nothing is written to an output that was closed, and nobody reads it.',
  },
  {
    path: 'src/http/log.ts',
    change: 'if (page.length[- >= -]{+ > +}pageLength) turn()',
    reason: 'A letter more or less on a page.',
  },
  {
    path: 'src/payments/card-testing/decline-store.ts',
    change: 'order by created_at [-desc-]{+asc+} limit ${of.max}',
    reason: 'Only how many rows there are is used; the order keeps the planner on the index of the list.',
  },
  {
    path: 'src/merchants/pictures/picture-store.ts',
    change: "fetched_at[- < -]{+ <= +}now() - interval '1 hour'",
    reason:
      'The moment of the statement has microseconds: no test can name it, and nobody minds which side it is on.',
  },
  {
    path: 'src/merchants/pictures/picture-store.ts',
    change: 'where merchant_id = ${merchantId} and [-source is not null-]{+true+} and id in (',
    reason: 'The ids that are looked for inside are of such pictures alone.',
  },
  {
    path: 'src/notifications/bulk/bulk-store.ts',
    change: "and [-(state = 'waiting' or state = 'paused')-]{+true+}",
    reason: 'Saves reading the others: each count names its state, and only what waits has a next try.',
  },
  {
    path: 'src/notifications/keep/prune-look-store.ts',
    change: 'where [-kind = ${kind}-]{+true+}',
    reason:
      'Saves a step for each merchant that has none of these: all that the walk stops at are asked again at its end.',
  },
  {
    path: 'src/notifications/keep/prune-look-store.ts',
    change: 'where kind = ${kind} and ',
    reason: 'The same.',
  },
  {
    path: 'src/notifications/keep/prune-look-store.ts',
    change: 'next.merchant_id > owners.merchant_id and ',
    reason: 'The same, for the next step of the walk.',
  },
  {
    path: 'src/notifications/keep/prune-look-store.ts',
    change: 'prune-look-store.ts:20  and ',
    reason: 'The same, for the next step of the walk.',
  },
  {
    path: 'src/notifications/keep/personal-store.ts',
    change: "and [-(answer is not null or error like '%@%')-]{+true+}",
    reason: 'Saves a write of what is there already.',
  },
  {
    path: 'src/payments/personal/personal-store.ts',
    change: 'and [-mode = ${form.mode}-]{+true+} and at = ${form.at}',
    reason:
      'A request is refused once, in one mode: its number alone finds it, and the rest is for the index.',
  },
  {
    path: 'src/notifications/result-store.ts',
    change: 'where [-done.merchant_id = ${merchantId}-]{+true+} and deliveries.merchant_id',
    reason: 'All rows that are given are of this merchant: it tells the planner how few they are.',
  },
  {
    path: 'src/notifications/store.ts',
    change: "[-state = 'waiting'-]{+true+} and next_try_at <= ",
    reason: 'Nothing else has a time of its next try, which the database holds to; it is for the index.',
  },
  {
    path: 'src/notifications/store.ts',
    change: "and deliveries.origin = queues.origin and [-state = 'waiting'-]{+true+}",
    reason: 'Nothing else has a time of its next try, which the database holds to; it is for the index.',
  },
  {
    path: 'src/notifications/store.ts',
    change: "where [-merchant_id = ${merchantId}-]{+true+} and state = 'waiting'",
    reason:
      'Which queues there may be: what is due in each is then asked of this merchant, and a queue too many has nothing.',
  },
  {
    path: 'src/notifications/store.ts',
    change: "where merchant_id = ${merchantId} and [-state = 'waiting'-]{+true+}",
    reason:
      'Which queues there may be: what is due in each is then asked for, and a queue too many has nothing.',
  },
  {
    path: 'src/notifications/store.ts',
    change: '(finished_at is null or finished_at',
    reason: 'A mail that ended a day ago was not sent after its end: saves counting its tries.',
  },
  {
    path: 'src/notifications/due-look-store.ts',
    change: "where [-state = 'waiting'-]{+true+} and merchant_id > ${after} and next_try_at",
    reason: 'Nothing else has a time of its next try, which the database holds to; it is for the index.',
  },
  {
    path: 'src/notifications/due-look-store.ts',
    change: "next_try_at[- > -]{+ >= +}now() + interval '48 hours'",
    reason:
      'The moment of the statement has microseconds: no test can name it, and nobody minds which side it is on.',
  },
  {
    path: 'src/notifications/schedule-store.ts',
    change: "[-state = 'waiting'-]{+true+} and next_try_at > now()",
    reason: 'Nothing else has a time of its next try, which the database holds to; it is for the index.',
  },
  {
    path: 'src/notifications/schedule-store.ts',
    change: "next_try_at[- > -]{+ >= +}now() + interval '48 hours'",
    reason:
      'The moment of the statement has microseconds: no test can name it, and nobody minds which side it is on.',
  },
  {
    path: 'src/notifications/record-store.ts',
    change: 'and [-created_at >= ${of.since}::timestamptz-]{+true+} and (created_at, id) >',
    reason: 'Whatever comes behind a place is not older than it; it is for the index.',
  },
  {
    path: 'src/notifications/record-store.ts',
    change:
      "(select min(next_try_at) from deliveries where merchant_id = ${merchantId} and [-state = 'waiting'-]{+true+})",
    reason: 'Nothing else has a time of its next try, which the database holds to; it is for the index.',
  },
  {
    path: 'src/notifications/receivers/receivers-store.ts',
    change: 'order by created_at [-desc-]{+asc+} limit ${most}',
    reason: 'They are only counted, and as many whichever come first; the order is that of the index.',
  },
]
