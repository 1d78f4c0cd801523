import type { Route } from './ask.ts'
import { formsRoutes } from './forms/handlers.ts'
import { accountRoutes, factorRoutes, goodbyeRoutes, sessionRoutes } from './account/handlers.ts'
import { auditRoutes } from './audit/handlers.ts'
import { homeRoutes } from './home/handlers.ts'
import { installationRoutes } from './installation/handlers.ts'
import { joinRoutes, otherLinkRoutes, passwordLinkRoutes, signUpRoutes } from './sign-in/links.ts'
import { openIdRoutes } from './sign-in/openid.ts'
import { newPasswordRoutes } from './sign-in/new-password.ts'
import { provingRoutes } from './sign-in/proving.ts'
import { signInRoutes } from './sign-in/handlers.ts'
import { teamRoutes } from './team/handlers.ts'
import { bookkeepingSettingsRoutes } from './settings/bookkeeping/handlers.ts'
import { savedMethodSettingsRoutes } from './settings/saved-methods/handlers.ts'
import { paymentsRoutes } from './payments/handlers.ts'
import { keysRoutes } from './keys/handlers.ts'
import { requestsRoutes } from './requests/handlers.ts'
import { linkRoutes } from './links/handlers.ts'
import { startRoutes } from './start/handlers.ts'
import { projectRoutes } from './projects/handlers.ts'
import { bookkeepingRoutes } from './bookkeeping/handlers.ts'
import { chargeRoutes } from './charges/handlers.ts'
import { customersPart, customerRoutes } from './customers/handlers.ts'
import { disputeRoutes } from './disputes/handlers.ts'
import { payoutRoutes } from './payouts/handlers.ts'
import { mailboxRoutes } from './mailbox/handlers.ts'
import { endpointRoutes } from './endpoints/handlers.ts'
import { receiverRoutes } from './receivers/handlers.ts'
import { disputesPart } from './disputes/part.ts'
import { figuresPart } from './home/period-part.ts'
import { payoutsOnRefunds, payoutsPart } from './payouts/part.ts'
import { refundFormRoutes } from './refunds/form-handlers.ts'
import { refundRoutes } from './refunds/handlers.ts'
import { refundsPart } from './refunds/part.ts'
import { savedMethodsPart } from './saved-methods/part.ts'
import type { DashboardPart } from './slots.ts'
import { readTopLinks } from '../links/top-links.ts'
import type { Linking } from '../links/linking.ts'
import type { PaymentMembers } from '../payments/slots/payment-members.ts'
import type { Refunding } from '../refunds/refunding.ts'
import type { MethodKeeping } from '../saved-methods/keeping.ts'
import { savedMethodRoutes } from './saved-methods/handlers.ts'
import { settingsRoutes } from './settings/handlers.ts'

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
