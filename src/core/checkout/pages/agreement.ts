import { html, type Html } from '../../../platform/http/html.ts'
import { saveRequestOf } from '../../payments/saving/saving.ts'
import { displayMoney } from '../language.ts'
import { sentence, type PageModel } from '../page-model.ts'

// What the customer agrees to by paying, for a payment that saves its method. It stands right above the button, and the
// same words are kept as evidence.

/** In a form that carries it, the customer has read the agreement. */
export const agreedField = 'agreed'

export function agreementWords(model: PageModel): string | undefined {
  const { payment } = model.view
  const asked = saveRequestOf(payment)
  if (!asked) return undefined
  const limit =
    asked.limitMinor !== undefined &&
    sentence(model, 'saveLimit', {
      limit: displayMoney(BigInt(asked.limitMinor), payment.currency, model.language),
    })
  const agreed = sentence(model, asked.agreement === 'recurring' ? 'saveRecurring' : 'saveUnscheduled')
  return [agreed, ...(limit === false ? [] : [limit]), sentence(model, 'saveEnd')].join(' ')
}

export function agreementText(model: PageModel): Html | false {
  const words = agreementWords(model)
  return words !== undefined && html`<p class="agreement">${words}</p>`
}

export function agreedInput({ view }: PageModel): Html | false {
  return (
    saveRequestOf(view.payment) !== undefined && html`<input type="hidden" name="${agreedField}" value="1" />`
  )
}
