import { html, type Html } from '../../../platform/http/html.ts'
import type { Merchant } from '../../../core/merchants/authenticate.ts'
import type { Content, LiveFinding, MemberAsk } from '../../ask.ts'
import { pill, type Tone } from '../../parts/lists.ts'
import { head, press } from '../../parts/parts.ts'
import { section } from '../../parts/things.ts'
import { mayChange, pathOf, styles } from '../parts.ts'

// The steps before going live, each with a link to fix it. Steps tick themselves off.

export type Step = {
  readonly what: string
  readonly isDone: boolean
  /** Optional: leaving it out loses no money and no payment. */
  readonly isOptional: boolean
  /** What to do, and where. */
  readonly mend?: Html | string | undefined
}

type Looked = {
  readonly merchant: Merchant
  readonly steps: readonly Step[]
  /** Whether the networks were asked now or earlier. */
  readonly how: 'ask' | 'remember'
}

export function goingLivePage(ask: MemberAsk, { merchant, steps, how }: Looked): Content {
  const { liveEnabled } = merchant
  const left = steps.filter(({ isDone, isOptional }) => !isDone && !isOptional).length
  const done = steps.filter(({ isDone }) => isDone).length
  return {
    title: 'Going live',
    styles,
    body: html`${head('Going live', {
      lead: liveEnabled
        ? 'Live payments are on.'
        : `${done} of ${steps.length} done. ${left === 0 ? 'You’re ready to go live.' : ''}`,
      action: liveEnabled ? pill('live', 'good') : pill('test only'),
    })}
      <ul class="rows">
        ${steps.map(stepRow)}
      </ul>
      ${how === 'remember' && html`<p class="hint">This shows the networks’ last responses.</p>`}
      ${
        mayChange(ask) &&
        html`<div class="actions">
          ${press(ask, `${pathOf(ask, '/live')}/do/check`, how === 'ask' ? 'Check again' : 'Check the networks now')}
        </div>`
      }
      ${section('Turn on live payments', switching(ask, merchant, steps))}`,
  }
}

function stepRow({ what, isDone, isOptional, mend }: Step): Html {
  const [word, tone]: [string, Tone] = isDone
    ? ['done', 'good']
    : isOptional
      ? ['recommended', 'warn']
      : ['missing', 'bad']
  return html`<li>
    <div class="what"><span>${what}</span>${!isDone && mend !== undefined && html`<span class="quiet small">${mend}</span>`}</div>
    ${pill(word, tone)}
  </li>`
}

/** Only operators see the button. */
function switching(ask: MemberAsk, merchant: Merchant, steps: readonly Step[]): Html {
  if (merchant.isSuspended)
    return html`<p>The operator of this Florin has suspended this shop, so customers can’t pay.</p>`
  if (merchant.liveEnabled)
    return html`<p>Live keys work. Create one in <a href="${ask.place.home.replace(/test$/, 'live')}/keys">Keys</a> in live mode.</p>`
  const missing = steps.filter(({ isDone }) => !isDone)
  const isBlocked = missing.some(({ isOptional }) => !isOptional)
  if (isBlocked) return html`<p>Finish the steps above first.</p>`
  if (!ask.own.person.isOperator || !mayChange(ask))
    return html`<p>You’re ready to go live. Ask the operator of this Florin to turn live payments on.</p>`
  const label = missing.length === 0 ? 'Turn live payments on' : 'Turn on without the recommended steps'
  const fields: Record<string, string> = missing.length === 0 ? {} : { force: 'yes' }
  return html`<p class="quiet">Florin checks the networks once more first.</p>
    <div>${press(ask, pathOf(ask, '/live'), label, fields, missing.length === 0 ? 'go' : 'danger')}</div>`
}

/** One finding of the check, with a link to fix it. */
export function stepOf(ask: MemberAsk, finding: LiveFinding): Step {
  const { what, is, remedy, skippable, about } = finding
  return {
    what,
    isDone: is === 'ok',
    isOptional: skippable === true,
    mend: is === 'ok' ? undefined : mendOf(ask, about, remedy),
  }
}

function mendOf(ask: MemberAsk, about: LiveFinding['about'], remedy: string | undefined): Html | string {
  const networks = `${ask.place.home.replace(/test$/, 'live')}/settings/networks`
  if (about === 'network') return html`Fix in <a href="${networks}">Networks</a>`
  if (about === 'currency')
    return html`Connect a network that takes it in <a href="${networks}">Networks</a>, or turn the currency off in
      <a href="${pathOf(ask, '/payments')}">Payments</a>`
  return `For the operator of this Florin: ${remedy ?? ''}`
}
