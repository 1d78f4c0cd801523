import type { Route } from './ask.ts'
import { formsRoutes } from './forms/handlers.ts'
import { accountRoutes, factorRoutes, goodbyeRoutes, sessionRoutes } from './account/handlers.ts'
import { auditRoutes } from './audit/handlers.ts'
import { homeRoutes } from './home/handlers.ts'
import { installationRoutes } from './installation/handlers.ts'
import { joinRoutes, otherLinkRoutes, passwordLinkRoutes, signUpRoutes } from './sign-in/links.ts'
import { openIdRoutes } from './sign-in/openid.ts'
import { provingRoutes } from './sign-in/proving.ts'
import { signInRoutes } from './sign-in/handlers.ts'
import { teamRoutes } from './team/handlers.ts'
import { paymentsRoutes } from './payments/handlers.ts'
import { keysRoutes } from './keys/handlers.ts'
import { requestsRoutes } from './requests/handlers.ts'
import { linkRoutes } from './links/handlers.ts'
import { startRoutes } from './start/handlers.ts'
import { projectRoutes } from './projects/handlers.ts'
import { bookkeepingRoutes } from './bookkeeping/handlers.ts'
import { chargeRoutes } from './charges/handlers.ts'
import { customerRoutes } from './customers/handlers.ts'
import { disputeRoutes } from './disputes/handlers.ts'
import { payoutRoutes } from './payouts/handlers.ts'
import { mailboxRoutes } from './mailbox/handlers.ts'
import { endpointRoutes } from './endpoints/handlers.ts'
import { receiverRoutes } from './receivers/handlers.ts'
import { refundRoutes } from './refunds/handlers.ts'
import { savedMethodRoutes } from './saved-methods/handlers.ts'
import { settingsRoutes } from './settings/handlers.ts'

/** Every dashboard route. To add a page, add a line to one of these lists, or a list. */
export const dashboardRoutes: readonly Route[] = [
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
  ...openIdRoutes,
  ...refundRoutes,
  ...customerRoutes,
  ...savedMethodRoutes,
  ...disputeRoutes,
  ...payoutRoutes,
  ...bookkeepingRoutes,
  ...receiverRoutes,
  ...endpointRoutes,
  ...mailboxRoutes,
  ...teamRoutes,
  ...auditRoutes,
  ...installationRoutes,
  ...paymentsRoutes,
  ...chargeRoutes,
  ...keysRoutes,
  ...formsRoutes,
  ...requestsRoutes,
  ...linkRoutes,
  ...projectRoutes,
  ...settingsRoutes,
  ...startRoutes,
  ...homeRoutes,
]
