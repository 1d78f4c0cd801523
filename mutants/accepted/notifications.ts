import type { Accepted } from './accepted.ts'

export const notifications: readonly Accepted[] = [
  {
    path: 'src/notifications/deliver/deliver.ts',
    change: 'this.#isClaimingSoon = [-true-]{+false+}',
    reason: 'Who waits is looked up for each try that ended, not once for all: the same is claimed.',
  },
  {
    path: 'src/notifications/ipn/pause-receivers.ts',
    change: 'failed.length === 0[- || -]{+ && +}!(await anyFailingSince(',
    reason: 'The statement in the transaction has the same conditions; to ask first saves that transaction.',
  },
  {
    path: 'src/notifications/bulk/bulk-store.ts',
    change: "and [-(state = 'waiting' or state = 'paused')-]{+true+}",
    reason: 'Saves reading the others: each count names its state, and only what waits has a next try.',
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
    path: 'src/notifications/ipn/stored-secret.ts',
    change: 'if (remembered.size[- >= -]{+ > +}rememberedMax) remembered.clear()',
    reason: 'How many secrets are remembered is a matter of memory; one more is no harm.',
  },
  {
    path: 'src/notifications/keep/personal-store.ts',
    change: "and [-(answer is not null or error like '%@%')-]{+true+}",
    reason: 'Saves a write of what is there already.',
  },
  {
    path: 'src/notifications/keep/prune-look-store.ts',
    change: 'created_at[- < -]{+ <= +}${before}',
    reason: 'Whoever has one of that very moment is visited, and what is deleted there is asked for again.',
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
    path: 'src/notifications/receivers/receivers-store.ts',
    change: 'order by created_at [-desc-]{+asc+} limit ${most}',
    reason: 'They are only counted, and as many whichever come first; the order is that of the index.',
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
    path: 'src/notifications/result-store.ts',
    change: 'where [-done.merchant_id = ${merchantId}-]{+true+} and deliveries.merchant_id',
    reason: 'All rows that are given are of this merchant: it tells the planner how few they are.',
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
    path: 'src/notifications/deliver/deliver.ts',
    change: 'if ([-this.#visiting.has(merchantId)-]{+false+}) return',
    reason: 'Two visits at once take nothing twice, as a claim is the database’s; this saves the second.',
  },
  {
    path: 'src/notifications/test-receiver/read-received.ts',
    change: 'const shownMax = [-5-]{+6+}',
    reason: 'How many are shown is no promise.',
  },
  {
    path: 'src/notifications/bulk/resend-many.ts',
    change: 'const atOnce = [-500-]{+501+}',
    reason: 'How many are taken at once is no promise.',
  },
  {
    path: 'src/notifications/deliver/deliver.ts',
    change: 'const merchantsAtOnce = [-1_000-]{+1001+}',
    reason: 'How many are taken at once is no promise.',
  },
  {
    path: 'src/notifications/deliver/deliver.ts',
    change: 'const queuesAtOnce = [-1_000-]{+1001+}',
    reason: 'How many are taken at once is no promise.',
  },
  {
    path: 'src/notifications/deliver/deliver.ts',
    change: 'const listingsAtOnce = [-2-]{+3+}',
    reason: 'How many connections it takes of the twenty is a matter of speed; one more is no harm.',
  },
  {
    path: 'src/notifications/deliver/deliver.ts',
    change: 'const claimsAtOnce = [-4-]{+5+}',
    reason: 'How many connections it takes of the twenty is a matter of speed; one more is no harm.',
  },
  {
    path: 'src/notifications/deliver/deliver.ts',
    change: '[-clearTimeout(this.#timer)-]{+void 0+}',
    reason: 'A look after the end asks nobody; this saves it.',
  },
  {
    path: 'src/notifications/deliver/deliver.ts',
    change: 'const recordsAfterStop = [-20-]{+21+}',
    reason: 'A quarter of a second more for a database that has been away for five.',
  },
  {
    path: 'src/notifications/deliver/recorder.ts',
    change: 'const merchantsAtOnce = [-4-]{+5+}',
    reason: 'How many connections it takes of the twenty is a matter of speed; one more is no harm.',
  },
  {
    path: 'src/notifications/due-look-store.ts',
    change: 'const rowsAtOnce = [-1_000-]{+1001+}',
    reason: 'How many are taken at once is no promise.',
  },
  {
    path: 'src/notifications/ipn/secret-look-store.ts',
    change: 'const atOnce = [-1_000-]{+1001+}',
    reason: 'How many are taken at once is no promise.',
  },
  {
    path: 'src/notifications/ipn/stored-secret.ts',
    change: 'const rememberedMax = [-10_000-]{+10001+}',
    reason: 'How many are remembered is a matter of memory; one more is no harm.',
  },
  {
    path: 'src/notifications/mail/read-mailbox.ts',
    change: 'export const searchedMax = [-10_000-]{+10001+}',
    reason: 'How far it is looked is a matter of time; one more is no harm.',
  },
  {
    path: 'src/notifications/mail/say-time.ts',
    change: 'const clocksMax = [-500-]{+501+}',
    reason: 'How many are remembered is a matter of memory; one more is no harm.',
  },
  {
    path: 'src/notifications/mail/say-time.ts',
    change: 'if (clocks.size[- >= -]{+ > +}clocksMax) clocks.clear()',
    reason: 'How many are remembered is a matter of memory; one more is no harm.',
  },
  {
    path: 'src/notifications/mail/waiting-mail.ts',
    change: 'const atOnce = [-500-]{+501+}',
    reason: 'How many are taken at once is no promise.',
  },
  {
    path: 'src/notifications/receivers/browse-deliveries.ts',
    change: 'const lookedMax = [-5_000-]{+5001+}',
    reason: 'How far it is looked is a matter of time; one more is no harm.',
  },
  {
    path: 'src/notifications/receivers/list-receivers.ts',
    change: 'const reasonsOf = [-300-]{+301+}',
    reason: 'How far it is looked is a matter of time; one more is no harm.',
  },
  {
    path: 'src/notifications/store.ts',
    change: 'const roundsMax = [-20-]{+21+}',
    reason: 'What nothing lets in is given up a round later.',
  },
  {
    path: 'src/notifications/queues.ts',
    change: 'counts.tries[- >= -]{+ > +}limit.tries',
    reason: 'Where nothing is left nobody has room either; this saves looking through all that wait.',
  },
  {
    path: 'src/notifications/queues.ts',
    change: 'counts.mails[- >= -]{+ > +}limit.mails',
    reason: 'Where nothing is left nobody has room either; this saves looking through all that wait.',
  },
  {
    path: 'src/notifications/queues.ts',
    change: 'if (ofMerchant.size[- > -]{+ >= +}0) waiting.set(merchantId, ofMerchant)',
    reason: 'A merchant with no queue that waits has no room either; this saves the entry.',
  },
  {
    path: 'src/notifications/queues.ts',
    change: 'return queue.origin[- === -]{+ !== +}mailOrigin ? `${queue.merchantId} mail`',
    reason: 'Two names that change places: mail and the rest are still counted apart.',
  },
  {
    path: 'src/notifications/queues.ts',
    change: 'if ([-next === 0-]{+false+}) counts.delete(name)',
    reason: 'Nothing under way is the same as no entry; this saves the memory.',
  },
  {
    path: 'src/notifications/ipn/stored-secret.ts',
    change: '[-remembered.set(name, opened)-]{+void 0+}',
    reason: 'Opened anew it is the same; this saves the time.',
  },
]
