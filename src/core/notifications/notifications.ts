import type { Database, Transaction } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/job.ts'
import type { Listener } from '../../platform/database/listen.ts'
import type { Logger } from '../../platform/http/log.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import { makeOutbound, type Outbound } from '../../platform/outbound/outbound.ts'
import type { FindMerchant } from '../merchants/authenticate.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { Deliverer } from './deliver/deliver.ts'
import { resetFarFutures } from './deliver/reset-far-future.ts'
import { makeDeliveryMetrics, type DeliveryMetrics } from './deliver/delivery-metrics.ts'
import { makeFollow, type Follow } from './follow.ts'
import type { IpnSender } from './ipn/send-ipn.ts'
import { makeOpenStored } from './ipn/stored-secret.ts'
import type { MailWriter } from './mail/mail-writer.ts'
import { makeMailbox, type Mailbox } from './mail/read-mailbox.ts'
import { makeOutbox, type Outbox } from './outbox.ts'
import type { PersonEmail } from '../../platform/outbound/person-email.ts'
import { makeSendEmail } from './mail/person-emails.ts'
import { makePostMail, type Attach } from './mail/send-mail.ts'
import { makeReportFailures, type ReportFailures } from './deliver/report-failures.ts'
import { connectWorkers } from './deliver/connect-workers.ts'
import { waitingMailJob } from './mail/waiting-mail.ts'

// The room put together: what delivers, what sends a sample, what lets a developer listen.

export type Notifications = {
  readonly db: Database
  readonly secrets: Secrets
  readonly outbox: Outbox
  readonly deliverer: Deliverer
  readonly ipn: IpnSender
  readonly follow: Follow
  readonly mailbox: Mailbox
  /** To a person who signs in here, in the caller's commit. */
  readonly sendEmail: (tx: Transaction, email: PersonEmail) => Promise<void>
  readonly jobs: readonly Job[]
  readonly now: () => Date
  close(): Promise<void>
}

export type NotificationsOptions = {
  readonly db: Database
  readonly secrets: Secrets
  readonly listener: Listener
  readonly log: Logger
  readonly metrics: Metrics
  readonly baseUrl: string
  /** A developer's machine that no one else can reach: test mode may call servers on it. */
  readonly isOwnMachine: boolean
  readonly smtpUrl: string
  readonly mailFrom: string
  readonly findMerchant: FindMerchant
  /** A network as people know it, for e-mails to customers. */
  readonly networkLabel?: (connector: string) => string
  readonly attach?: Attach
  /** Of modules' mails. */
  readonly mailWriters: readonly MailWriter[]
  readonly outbound?: Outbound
  readonly now?: () => Date
  readonly random?: () => number
  /** How long a mail server may take for one mail. */
  readonly mailTimeoutMs?: number
}

const resetEveryMs = 600_000

export function makeNotifications(options: NotificationsOptions): Notifications {
  const { db, secrets, listener, log, smtpUrl } = options
  const now = options.now ?? (() => new Date())
  const outbound = options.outbound ?? makeOutbound()
  const openStored = makeOpenStored(secrets)
  const { baseUrl, isOwnMachine: allowLocal } = options
  const ipn = { db, secrets, openStored, outbound, allowLocal, baseUrl, now }
  const mail = {
    db,
    now,
    secrets,
    findMerchant: options.findMerchant,
    baseUrl,
    attach: options.attach,
    writers: options.mailWriters,
    networkLabel: options.networkLabel,
    from: options.mailFrom || `no-reply@${new URL(baseUrl).hostname}`,
    post: smtpUrl === '' ? undefined : makePostMail(smtpUrl, options.mailTimeoutMs),
  }
  const outbox = makeOutbox()
  const deliverer = new Deliverer({
    db,
    outbox,
    log,
    now,
    ipn,
    mail,
    metrics: withFailureAlerts(
      makeDeliveryMetrics(options.metrics, db, log, now),
      makeReportFailures(log, now),
    ),
    ...(options.random && { random: options.random }),
  })
  const follow = makeFollow({ db, secrets }, outbox)
  const jobs = [
    { name: 'reset far future', everyMs: resetEveryMs, run: async () => resetFarFutures(db, log) },
    ...(mail.post ? [waitingMailJob({ db, log, now, ask: (queue) => deliverer.ask(queue) })] : []),
  ]
  connectWorkers(db, listener, outbox, deliverer)
  return {
    db,
    secrets,
    outbox,
    deliverer,
    ipn,
    follow,
    mailbox: makeMailbox(mail),
    sendEmail: makeSendEmail({ outbox, secrets, hasMailServer: smtpUrl !== '' }),
    jobs,
    now,
    close: () => outbound.close(),
  }
}

/** Each attempt is counted, and failed ones are logged. */
function withFailureAlerts(metrics: DeliveryMetrics, reportFailures: ReportFailures): DeliveryMetrics {
  return {
    ...metrics,
    tried(one, outcome) {
      metrics.tried(one, outcome)
      reportFailures(one, outcome)
    },
  }
}
