import type { Module } from '../module.ts'
import { addWarnings } from './api/follow-warnings.ts'
import { requestOperations } from './api/operations.ts'
import { requestsRoutes } from './dashboard/handlers.ts'
import { requestLogData } from './data.ts'
import { oldRequests } from './old-requests.ts'
import { makeRequestLog } from './request-log.ts'

export const requestLog: Module = {
  name: 'request-log',
  tables: ['request_log'],
  data: requestLogData,
  // 0: none is kept.
  kept: (config) => ({ pruning: oldRequests, days: config.REQUEST_LOG_DAYS }),
  watch: (config, base) =>
    config.REQUEST_LOG_DAYS === 0
      ? undefined
      : makeRequestLog({ ...base, perSecond: config.REQUEST_LOG_PER_SECOND }),
  operations: requestOperations,
  open: (given) => ({
    addRoutes: (server) => addWarnings(server, given),
    pages: () => requestsRoutes,
  }),
}
