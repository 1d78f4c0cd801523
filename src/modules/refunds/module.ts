import type { Module } from '../module.ts'
import { refundOperations } from './api/operations.ts'
import { addRefunds } from './api/routes.ts'
import { refundWebhooks } from './api/webhooks.ts'
import { refundCallbacks } from './callbacks.ts'
import { refundsOnCheckout } from './checkout/part.ts'
import { makeAttachReceipt } from './checkout/refund-pdf.ts'
import { refundCommand } from './commands/entries.ts'
import { refundFormRoutes } from './dashboard/form-handlers.ts'
import { refundRoutes } from './dashboard/handlers.ts'
import { refundsPart } from './dashboard/part.ts'
import { refundData } from './data.ts'
import { refundsOf } from './find-refunds.ts'
import { refundsChapter } from './guide/refunds.ts'
import { refundMails } from './mail/refund-email.ts'
import { presentRefund } from './present.ts'
import { refundJob } from './reconcile-refunds.ts'
import { makeRefunding } from './refunding.ts'
import { eventsOfRefunds } from './api/sample-refund.ts'
import { recountRefunds } from './totals/recount.ts'

export const refunds: Module = {
  name: 'refunds',
  tables: ['refunds', 'refund_history', 'refund_totals'],
  data: refundData,
  commands: [refundCommand],
  operations: refundOperations,
  webhooks: refundWebhooks,
  groups: { Refunds: 'Give money back, and see what became of it.' },
  chapters: { refunds: refundsChapter },
  events: eventsOfRefunds,
  mails: [refundMails],
  part: refundsPart,
  recount: recountRefunds,
  attach: makeAttachReceipt,
  open(given) {
    const { db } = given
    const refunding = makeRefunding(given)
    return {
      addRoutes: (server) => addRefunds(server, { ...given, refunding }),
      jobs: [refundJob(refunding)],
      callbacks: refundCallbacks(refunding),
      members: {
        refunds: async (payment) => (await refundsOf(db, payment)).map((refund) => presentRefund(refund)),
      },
      checkout: refundsOnCheckout(db),
      pages: (parts) => [...refundRoutes(parts), ...refundFormRoutes(refunding, parts)],
    }
  },
}
