import type { Page } from '../../platform/http/page.ts'
import { askEmailPage } from './pages/ask-email.ts'
import { emailPage } from './email/page.ts'
import { challengePage } from './pages/challenge.ts'
import { payPage } from './pages/pay.ts'
import { endedPage, moneyBackPage, paidPage } from './pages/result.ts'
import { waitingPage } from './pages/waiting.ts'
import type { PageModel } from './page-model.ts'
import { asksForEmail } from './receipt/old-receipt.ts'
import { screenOf, type Screen } from './screens.ts'

const pages: Readonly<Record<Screen, (model: PageModel) => Page>> = {
  email: emailPage,
  pay: payPage,
  challenge: challengePage,
  waiting: waitingPage,
  paid: paidPage,
  refunded: (model) => moneyBackPage(model, 'refunded'),
  reversed: (model) => moneyBackPage(model, 'reversed'),
  cancelled: (model) => endedPage(model, 'cancelled'),
  expired: (model) => endedPage(model, 'expired'),
  failed: (model) => endedPage(model, 'failed'),
  unavailable: (model) => endedPage(model, 'unavailable'),
}

/** The page of the payment's state. */
export function draw(model: PageModel): Page {
  if (asksForEmail(model)) return askEmailPage(model)
  return pages[screenOf(model)](model)
}
