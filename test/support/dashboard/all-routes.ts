import { dashboardRoutes } from '../../../src/app/dashboard-table.ts'

/** Every route of the dashboard, to read or to open pages that need nothing of refunds, links and saved methods but rows. */
export const allRoutes = dashboardRoutes({} as never)
