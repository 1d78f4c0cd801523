import { namesOf } from '../core/notifications/events.ts'
import { notificationOperations } from '../core/notifications/operations.ts'
import { paymentOperations } from '../core/payments/api/operations.ts'
import { projectOperations } from '../core/projects/operations.ts'
import type { Module } from '../modules/module.ts'
import type { Operation } from '../platform/http/openapi/openapi.ts'
import { groupOrder } from './guide.ts'
import { allModules, eventsOf } from './modules.ts'

/** Every operation of the API, as /openapi.json describes it. */
export function allOperations(seoUrl: string, modules: readonly Module[] = allModules): readonly Operation[] {
  const place = ({ group }: Operation): number => [...groupOrder, group].indexOf(group)
  return [
    ...paymentOperations,
    ...modules.flatMap(({ operations = [] }) => operations),
    ...notificationOperations(namesOf(eventsOf(modules))),
    ...projectOperations(seoUrl),
  ].toSorted((one, other) => place(one) - place(other))
}
