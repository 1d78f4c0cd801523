import type { Route } from '../dashboard/ask.ts'
import { formsRoutes } from '../dashboard/forms/handlers.ts'
import {
  accountRoutes,
  factorRoutes,
  goodbyeRoutes,
  sessionRoutes,
} from '../dashboard/people/account/handlers.ts'
import { auditRoutes } from '../dashboard/audit/handlers.ts'
import { homeRoutes } from '../dashboard/home/handlers.ts'
import { installationRoutes } from '../dashboard/installation/handlers.ts'
import {
  joinRoutes,
  otherLinkRoutes,
  passwordLinkRoutes,
  signUpRoutes,
} from '../dashboard/people/sign-in/links.ts'
import { openIdRoutes } from '../dashboard/people/sign-in/openid.ts'
import { newPasswordRoutes } from '../dashboard/people/sign-in/new-password.ts'
import { provingRoutes } from '../dashboard/people/sign-in/proving.ts'
import { signInRoutes } from '../dashboard/people/sign-in/handlers.ts'
import { teamRoutes } from '../dashboard/people/team-pages/handlers.ts'
import { paymentsRoutes } from '../dashboard/payments/handlers.ts'
import { keysRoutes } from '../dashboard/keys/handlers.ts'
import { startRoutes } from '../dashboard/start/handlers.ts'
import { projectRoutes } from '../dashboard/projects/handlers.ts'
import { chargeRoutes } from '../dashboard/charges/handlers.ts'
import { mailboxRoutes } from '../dashboard/mailbox/handlers.ts'
import { endpointRoutes } from '../dashboard/endpoints/handlers.ts'
import { receiverRoutes } from '../dashboard/receivers/handlers.ts'
import type { Module, Opened } from '../modules/module.ts'
import type { DashboardPart } from '../dashboard/slots.ts'
import type { PaymentMembers } from '../core/payments/slots/payment-members.ts'
import { settingsRoutes } from '../dashboard/settings/handlers.ts'

export type Given = {
  readonly parts: readonly DashboardPart[]
  readonly members: PaymentMembers
  readonly opened: readonly Pick<Opened, 'pages'>[]
}

/** What modules add to each other's pages, in the order in which a page shows it. */
export function partsOf(modules: readonly Module[]): readonly DashboardPart[] {
  return modules.flatMap(({ part }) => part ?? []).toSorted((one, other) => one.order - other.order)
}

/** Every dashboard route. To add a page of the core, add a line to one of these lists, or a list. */
export const dashboardRoutes = ({ parts, members, opened }: Given): readonly Route[] => [
  ...signInRoutes,
  ...passwordLinkRoutes,
  ...otherLinkRoutes,
  ...signUpRoutes,
  ...joinRoutes,
  ...accountRoutes,
  ...factorRoutes,
  ...sessionRoutes,
  ...goodbyeRoutes,
  ...provingRoutes,
  ...newPasswordRoutes,
  ...openIdRoutes,
  ...opened.flatMap(({ pages }) => pages?.(parts) ?? []),
  ...receiverRoutes,
  ...endpointRoutes,
  ...mailboxRoutes,
  ...teamRoutes,
  ...auditRoutes,
  ...installationRoutes,
  ...paymentsRoutes(parts, members),
  ...chargeRoutes,
  ...keysRoutes,
  ...formsRoutes,
  ...projectRoutes(parts),
  ...settingsRoutes,
  ...startRoutes,
  ...homeRoutes(parts),
]
