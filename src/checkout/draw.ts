import type { Page } from '../http/page.ts'
import { challengePage } from './pages/challenge.ts'
import { payPage } from './pages/pay.ts'
import { endedPage, moneyBackPage, paidPage } from './pages/result.ts'
import { waitingPage } from './pages/waiting.ts'
import type { Scene } from './page-model.ts'
import { screenOf, type Screen } from './screens.ts'

const pages: Readonly<Record<Screen, (scene: Scene) => Page>> = {
  pay: payPage,
  challenge: challengePage,
  waiting: waitingPage,
  paid: paidPage,
  refunded: (scene) => moneyBackPage(scene, 'refunded'),
  reversed: (scene) => moneyBackPage(scene, 'reversed'),
  cancelled: (scene) => endedPage(scene, 'cancelled'),
  expired: (scene) => endedPage(scene, 'expired'),
  failed: (scene) => endedPage(scene, 'failed'),
  unavailable: (scene) => endedPage(scene, 'unavailable'),
}

/** The page of the payment's state. */
export function draw(scene: Scene): Page {
  return pages[screenOf(scene.view)](scene)
}
