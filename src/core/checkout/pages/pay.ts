import { drawAround, drawOnce, html, type Holes, type Html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import type { DeclineReason } from '../../payments/checkout-view.ts'
import { isCharge, saveRequestOf } from '../../payments/saving/saving.ts'
import { fieldNames, type FieldMistakes } from '../card-form.ts'
import { fill, type Words } from '../language.ts'
import {
  addressOf,
  sentence,
  takesBack,
  takesBackAnyhow,
  takesBackField,
  type PageModel,
} from '../page-model.ts'
import { hasWays, partsOf } from '../parts/page-parts.ts'
import { waysOut } from './ways-out.ts'
import { agreedInput, agreementText } from './agreement.ts'
import { cardFields } from './card/card-fields.ts'
import { choice, isAboveCards, waysOf } from './choice.ts'
import { bannerOf, frame } from '../parts/frame.ts'
import { lock } from '../parts/marks.ts'
import { summary } from '../parts/summary.ts'
import { onPhone } from './on-phone.ts'
import { testCardTable, testCardTableToSave } from './card/test-cards.ts'
import { waitLine, waitNotice, waitSeconds } from './wait-notice.ts'
import { watched } from './watched.ts'

export function payPage(model: PageModel): Page {
  const { words } = model.language
  const title = sentence(model, 'payTitle')
  const isHeldUp = model.mistakes !== undefined || model.wait !== undefined
  const decline = declineOf(model)
  const hasProblem = isHeldUp || (decline !== undefined && !isCalm(decline))
  return frame(model, {
    title: hasProblem ? fill(words.errorTitle, { title }) : title,
    isWide: true,
    ...bannerOf(model),
    watched: watched(model),
    home: addressOf(model),
    content: html`${summary(model)}
      <section class="card form" aria-labelledby="by-card">
        ${problems(model)}
        ${hasWays(model) && html`<div class="first-ways saved-ways">${partsOf(model, 'ways')}</div>`}
        ${model.view.payment.mode === 'test' ? byCard(model, title) : choice(model, 'by-card', hasWays(model) ? words.otherWays : words.chooseHeading)}
        ${waysOut(model)} ${isCharge(model.view.payment) && partsOf(model, 'link')}
      </section>
      ${onPhone(model)}
      ${model.view.payment.mode === 'test' && (saveRequestOf(model.view.payment) ? testCardTableToSave(words) : testCardTable(words))}`,
  })
}

/** Found by the script while the customer types; without it the age of the page has to do. */
function proofFields({ token }: NonNullable<PageModel['proof']>): Html {
  return html`<input type="hidden" name="proof" value="${token}" /><input type="hidden" name="nonce" value="" />`
}

/** In test mode only: a live card is typed on a network's own page and never on ours. */
function byCard(model: PageModel, title: string): Html {
  const { words } = model.language
  const seconds = waitSeconds(model)
  const hasOthers = waysOf(model).length > 0
  const isBelow = !isAboveCards(model)
  return html`${hasOthers && !isBelow && html`<div class="first-ways">${choice(model, 'other-ways', hasWays(model) ? words.otherWays : words.chooseHeading)}</div>`}
    ${drawForm(words, {
      retype: model.typed && html`<p class="retype">${words.retype}</p>`,
      action: addressOf(model, '/pay'),
      wait: seconds !== undefined && html`data-wait="${seconds}"`,
      title,
      errorTitle: fill(words.errorTitle, { title }),
      token: model.token,
      takesBack:
        takesBack(model) &&
        html`<input type="hidden" name="${takesBackField}" value="${model.view.payment.dialect === 'family' ? takesBackAnyhow : '1'}" />`,
      proof: model.proof && proofFields(model.proof),
      fields: cardFields(model, wrongCode(model)),
      agreement: agreementText(model),
      agreed: agreedInput(model),
      weight: hasWays(model) ? 'plain' : 'go',
      button: sentence(model, 'payButton'),
    })}
    ${hasOthers && isBelow && html`<div class="other-ways">${choice(model, 'other-ways', words.otherWays)}</div>`}`
}

type FormParts =
  | 'retype'
  | 'action'
  | 'wait'
  | 'title'
  | 'errorTitle'
  | 'token'
  | 'takesBack'
  | 'proof'
  | 'fields'
  | 'agreement'
  | 'agreed'
  | 'weight'
  | 'button'

const drawForm = drawAround(
  (words: Words, parts: Holes<FormParts>) => html`<h2 id="by-card">${words.cardHeading}</h2>
    ${parts.retype}
    <form
      method="post"
      action="${parts.action}"
      novalidate
      data-pay
      ${parts.wait}
      data-paying="${words.paying}"
      data-title="${parts.title}"
      data-error-title="${parts.errorTitle}"
    >
      <input type="hidden" name="token" value="${parts.token}" />
      ${parts.takesBack}
      ${parts.proof}
      ${parts.fields}
      ${parts.agreement} ${parts.agreed}
      <button class="${parts.weight}" type="submit">${lock}<span>${parts.button}</span></button>
      <p class="quiet small where">${lock}<span>${words.trust}</span></p>
    </form>`,
)

/** One summary on top: how the last try ended, or what is wrong with the form. The script fills it in as well. */
function problems(model: PageModel): Html {
  const { words } = model.language
  const mistakes = model.mistakes
  // The input is shown again when something stopped this try: the last result no longer matters then.
  const decline = mistakes || model.typed ? undefined : declineOf(model)
  const isInterrupted = model.interrupted === true && !mistakes && !model.wait && !model.view.lastAttempt
  if (!mistakes && !decline && !model.hasLeft && !isInterrupted && !model.wait) return noProblem(words)
  return html`${decline && declineNotice(model, decline)} ${model.hasLeft && leftNotice(words)} ${interruptedNotice(words, isInterrupted)}
    ${!decline && !mistakes && model.wait && waitNotice(model)}
    ${mistakesNotice(words, mistakes)}`
}

/** Most pages: all of it is there for the script, and hidden. */
const noProblem = drawOnce(
  (words: Words) => html`${interruptedNotice(words, false)} ${mistakesNotice(words, undefined)}`,
)

function mistakesNotice(words: Words, mistakes: FieldMistakes | undefined): Html {
  const wrong = fieldNames.filter((field) => mistakes?.[field] !== undefined)
  return html`<div class="problem" id="problem" tabindex="-1" role="group" aria-labelledby="problem-heading" ${wrong.length === 0 && html`hidden`}>
      <h2 id="problem-heading">${words.errorHeading}</h2>
      <ul>
        ${wrong.map((field) => {
          const key = mistakes?.[field]
          return key && html`<li><a href="#${field}">${words[key]}</a></li>`
        })}
      </ul>
    </div>`
}

/** No mistake of anybody's: it says that all is well. */
function leftNotice(words: Words): Html {
  return html`<div class="calm-notice" id="left" tabindex="-1" role="group" aria-labelledby="left-heading">
    <h2 id="left-heading">${words.hostedAbandoned}</h2>
    <p><strong>${words.noMoneyTaken}</strong> ${words.hostedNext}</p>
  </div>`
}

/** After a try that never arrived here. The script shows it too, once it has asked. */
function interruptedNotice(words: Words, isShown: boolean): Html {
  const notice = html`<div class="problem" id="interrupted" tabindex="-1" role="group" aria-labelledby="interrupted-heading">
    <h2 id="interrupted-heading">${words.interrupted}</h2>
    <p><strong>${words.noMoneyTaken}</strong> ${words.waitOver}</p>
  </div>`
  return isShown ? notice : html`<template id="if-interrupted">${notice}</template>`
}

/** Why the last try took no money: it was declined, or the customer gave it up. */
function declineOf(model: PageModel): DeclineReason | undefined {
  const last = model.view.lastAttempt
  if (last?.state === 'declined') return last.declineReason ?? 'declined'
  if (last?.state === 'not_sent') return 'network_silent'
  return last?.state === 'abandoned' ? (last.declineReason ?? 'challenge_abandoned') : undefined
}

/** Nothing that the customer did went wrong: a charge without them waits for them. */
function isCalm(reason: DeclineReason): boolean {
  return reason === 'needs_customer'
}

/** The field that the bank's answer is about is marked; the rest of the card was right. */
function wrongCode(model: PageModel): FieldMistakes | undefined {
  const isOld = model.mistakes !== undefined || model.typed !== undefined
  return !isOld && declineOf(model) === 'wrong_cvc' ? { cvc: 'wrongCvc' } : undefined
}

const triesWorthSaying = 3

function declineNotice(model: PageModel, reason: DeclineReason): Html {
  const { words } = model.language
  const { attemptsLeft } = model.view
  const { happened, next } = wordsOfDecline(model, reason)
  return html`<div class="${isCalm(reason) ? 'calm-notice' : 'problem'}" id="declined" tabindex="-1" role="group" aria-labelledby="declined-heading">
    <h2 id="declined-heading">${words[happened]}</h2>
    <p><strong>${words.noMoneyTaken}</strong> ${waitLine(model) ?? words[next]}</p>
    ${
      attemptsLeft <= triesWorthSaying &&
      html`<p>${fill(words.triesLeft, { count: String(attemptsLeft) })}</p>`
    }
  </div>`
}

type DeclineWords = { happened: keyof Words; next: keyof Words }

/** On a network's own page the customer chose neither card nor bank here, and the words name none. */
function wordsOfDecline({ view }: PageModel, reason: DeclineReason): DeclineWords {
  if (!view.lastAttempt?.hosted) return declineWords[reason]
  const next = 'hostedNext'
  if (reason === 'challenge_abandoned') return { happened: 'hostedAbandoned', next }
  if (reason === 'processing_error' && view.lastAttempt.state === 'abandoned')
    return { happened: 'pageNotOpened', next }
  if (reason === 'declined') return { happened: 'hostedDeclined', next }
  return { happened: declineWords[reason].happened, next }
}

const declineWords: Readonly<Record<DeclineReason, DeclineWords>> = {
  declined: { happened: 'declined', next: 'declinedNext' },
  insufficient_funds: { happened: 'insufficientFunds', next: 'insufficientFundsNext' },
  expired_card: { happened: 'expiredCard', next: 'expiredCardNext' },
  wrong_cvc: { happened: 'wrongCvc', next: 'wrongCvcNext' },
  processing_error: { happened: 'processingError', next: 'processingErrorNext' },
  challenge_refused: { happened: 'challengeRefused', next: 'challengeRefusedNext' },
  challenge_abandoned: { happened: 'challengeAbandoned', next: 'challengeAbandonedNext' },
  needs_customer: { happened: 'needsCustomer', next: 'needsCustomerNext' },
  // A charge that was refused in this way has ended, so no page shows it.
  method_ended: { happened: 'declined', next: 'declinedNext' },
  network_silent: { happened: 'notSent', next: 'notSentNext' },
}
