import type { Route } from '../ask.ts'
import { liveRoutes } from './live/handlers.ts'
import { networkRoutes } from './networks/handlers.ts'
import { paymentSettingsRoutes } from './payments/handlers.ts'
import { shopRoutes } from './shop/handlers.ts'

/** Owners change settings; developers can view them. */
export const settingsRoutes: readonly Route[] = [
  ...shopRoutes,
  ...networkRoutes,
  ...paymentSettingsRoutes,
  ...liveRoutes,
]
