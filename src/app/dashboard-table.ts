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
import { bookkeepingSettingsRoutes } from '../modules/payouts/dashboard/settings/handlers.ts'
import { savedMethodSettingsRoutes } from '../modules/saved-methods/dashboard/rules/handlers.ts'
import { paymentsRoutes } from '../dashboard/payments/handlers.ts'
import { keysRoutes } from '../dashboard/keys/handlers.ts'
import { requestsRoutes } from '../modules/request-log/dashboard/handlers.ts'
import { linkRoutes } from '../modules/links/dashboard/handlers.ts'
import { startRoutes } from '../dashboard/start/handlers.ts'
import { projectRoutes } from '../dashboard/projects/handlers.ts'
import { bookkeepingRoutes } from '../modules/payouts/dashboard/bookkeeping/handlers.ts'
import { chargeRoutes } from '../dashboard/charges/handlers.ts'
import { customersPart, customerRoutes } from '../modules/customers/dashboard/handlers.ts'
import { disputeRoutes } from '../modules/disputes/dashboard/handlers.ts'
import { payoutRoutes } from '../modules/payouts/dashboard/handlers.ts'
import { mailboxRoutes } from '../dashboard/mailbox/handlers.ts'
import { endpointRoutes } from '../dashboard/endpoints/handlers.ts'
import { receiverRoutes } from '../dashboard/receivers/handlers.ts'
import { disputesPart } from '../modules/disputes/dashboard/part.ts'
import { figuresPart } from '../modules/figures/dashboard/period-part.ts'
import { payoutsOnRefunds, payoutsPart } from '../modules/payouts/dashboard/part.ts'
import { refundFormRoutes } from '../modules/refunds/dashboard/form-handlers.ts'
import { refundRoutes } from '../modules/refunds/dashboard/handlers.ts'
import { refundsPart } from '../modules/refunds/dashboard/part.ts'
import { savedMethodsPart } from '../modules/saved-methods/dashboard/part.ts'
import type { DashboardPart } from '../dashboard/slots.ts'
import { readTopLinks } from '../modules/links/top-links.ts'
import type { Linking } from '../modules/links/linking.ts'
import type { PaymentMembers } from '../core/payments/slots/payment-members.ts'
import type { Refunding } from '../modules/refunds/refunding.ts'
import type { MethodKeeping } from '../modules/saved-methods/keeping.ts'
import { savedMethodRoutes } from '../modules/saved-methods/dashboard/handlers.ts'
import { settingsRoutes } from '../dashboard/settings/handlers.ts'

export type Given = {
  readonly refunding: Refunding
  readonly linking: Linking
  readonly methodKeeping: MethodKeeping
  readonly members: PaymentMembers
}

/** What modules add to each other's pages, in the order in which a page shows it. */
const parts: readonly DashboardPart[] = [
  figuresPart(readTopLinks),
  savedMethodsPart,
  disputesPart,
  refundsPart,
  customersPart,
  payoutsPart,
]

/** Every dashboard route. To add a page, add a line to one of these lists, or a list. */
export const dashboardRoutes = ({ refunding, linking, methodKeeping, members }: Given): readonly Route[] => [
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
  ...refundRoutes(payoutsOnRefunds),
  ...refundFormRoutes(refunding, payoutsOnRefunds),
  ...customerRoutes(parts),
  ...savedMethodRoutes(methodKeeping, parts),
  ...disputeRoutes,
  ...payoutRoutes,
  ...bookkeepingRoutes,
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
  ...requestsRoutes,
  ...linkRoutes(linking),
  ...projectRoutes(parts),
  ...settingsRoutes,
  ...bookkeepingSettingsRoutes,
  ...savedMethodSettingsRoutes,
  ...startRoutes,
  ...homeRoutes(parts),
]
