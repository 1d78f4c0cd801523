import { dashboardRoutes, partsOf } from '../../../src/app/dashboard-table.ts'
import { allModules } from '../../../src/app/modules.ts'
import { makeMetrics } from '../../../src/platform/http/metrics.ts'

/** Every route of the dashboard, to read or to open pages that need nothing of refunds, links and saved methods but rows. */
const given = { metrics: makeMetrics(), paying: { connectors: [] } } as never
export const allRoutes = dashboardRoutes({
  parts: partsOf(allModules),
  members: {},
  opened: allModules.flatMap(({ open }) => open?.(given) ?? []),
})
