import type { Page } from '../http/page.ts'
import { challengePage } from './pages/challenge.ts'
import { payPage } from './pages/pay.ts'
import { endedPage, moneyBackPage, paidPage } from './pages/result.ts'
import { waitingPage } from './pages/waiting.ts'
import type { Scene } from './scene.ts'
import { screenOf } from './screens.ts'

/** The page of the payment's state. */
export function draw(scene: Scene): Page {
  const screen = screenOf(scene.view)
  switch (screen) {
    case 'pay':
      return payPage(scene)
    case 'challenge':
      return challengePage(scene)
    case 'waiting':
      return waitingPage(scene)
    case 'paid':
      return paidPage(scene)
    case 'refunded':
    case 'reversed':
      return moneyBackPage(scene, screen)
    case 'cancelled':
    case 'expired':
    case 'failed':
    case 'unavailable':
      return endedPage(scene, screen)
  }
}
