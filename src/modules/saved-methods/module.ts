import type { Module } from '../module.ts'
import { savedMethodOperations } from './api/operations.ts'
import { addSavedMethods } from './api/routes.ts'
import { eventsOfMethods, savedMethodWebhooks } from './api/webhooks.ts'
import { methodCallbacks } from './callbacks.ts'
import { savedMethodStyles } from './checkout/page.ts'
import { savedMethodsOnCheckout } from './checkout/part.ts'
import { savedMethodRoutes } from './dashboard/handlers.ts'
import { savedMethodsPart } from './dashboard/part.ts'
import { savedMethodSettingsRoutes } from './dashboard/rules/handlers.ts'
import { savedMethodData } from './data.ts'
import { withUsable } from './find-methods.ts'
import { forgetMethodsJob } from './forget/forget-methods.ts'
import { savedMethodsChapter } from './guide/saved-methods.ts'
import type { MethodKeeping } from './keeping.ts'
import { makeSavedMethods } from './settle.ts'

export const savedMethods: Module = {
  name: 'saved-methods',
  tables: [
    'saved_methods',
    'saved_method_consents',
    'saved_method_charges',
    'saved_method_days',
    'saved_method_rules',
  ],
  data: savedMethodData,
  operations: savedMethodOperations,
  webhooks: savedMethodWebhooks,
  groups: { 'Saved methods': 'Charge customers again by agreement, without asking each time.' },
  chapters: { 'saved-methods': savedMethodsChapter },
  events: eventsOfMethods,
  styles: [savedMethodStyles],
  part: savedMethodsPart,
  savedMethods: makeSavedMethods,
  open(given) {
    const keeping: MethodKeeping = given
    return {
      addRoutes: (server) => addSavedMethods(server, { ...given, methodKeeping: keeping }),
      jobs: [forgetMethodsJob(keeping)],
      callbacks: methodCallbacks(given.paying),
      members: { refresh: async (payments) => withUsable(given.db, payments) },
      checkout: savedMethodsOnCheckout(keeping),
      pages: (parts) => [...savedMethodRoutes(keeping, parts), ...savedMethodSettingsRoutes],
    }
  },
}
