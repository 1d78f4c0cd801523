import type { Module } from '../module.ts'
import { disputeCallbacks } from './callbacks.ts'
import { disputesJob } from './check-disputes.ts'
import { disputeRoutes } from './dashboard/handlers.ts'
import { disputesPart } from './dashboard/part.ts'
import { disputeData } from './data.ts'
import { disputesChapter } from './guide/disputes.ts'
import { lostDisputesJob } from './look-for-lost.ts'
import { disputeMails } from './mail/dispute-email.ts'
import { disputeOperations } from './api/operations.ts'
import { addDisputes } from './api/routes.ts'

export const disputes: Module = {
  name: 'disputes',
  tables: ['disputes', 'dispute_history', 'dispute_replies'],
  data: disputeData,
  operations: disputeOperations,
  groups: { Disputes: 'Banks that ask for money back, and what you can do.' },
  chapters: { disputes: disputesChapter },
  mails: [disputeMails],
  part: disputesPart,
  open: (given) => ({
    addRoutes: (server) => addDisputes(server, given),
    jobs: [disputesJob(given.paying), lostDisputesJob(given.paying)],
    callbacks: disputeCallbacks(given.paying),
    pages: () => disputeRoutes,
  }),
}
