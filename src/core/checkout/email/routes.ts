import type { Server } from '../../../platform/http/server.ts'
import { Fields } from '../../../platform/input/fields.ts'
import { readEmail } from '../../payments/fields/read-email.ts'
import { addEmailAddress } from '../../payments/data/add-email.ts'
import { redirectToPayment, showPayment } from '../answer.ts'
import type { Checkout } from '../checkout.ts'
import { openPayment, type CheckoutRequest } from '../open-payment.ts'
import { readOwnForm } from '../own-form.ts'
import { paymentKeyFromDigits } from '../payment-key.ts'
import { screenOf } from '../screens.ts'

// The customer's e-mail address, for payments that were created without one.

export function addEmail(scope: Server, checkout: Checkout): void {
  scope.post('/payment/:digits/email', async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request)
    const form = readOwnForm(request, model.token, checkout.baseUrl)
    if (screenOf(model) !== 'email') return redirectToPayment(reply, model)
    const typed = (form.get('email') ?? '').trim()
    const fields = new Fields({ email: typed })
    const email = readEmail(fields)
    if (email === undefined)
      return showPayment(reply, 400, { ...model, wrongEmail: { typed, errors: fields.errors } })
    await addEmailAddress(checkout.db, paymentKeyFromDigits(model.digits), email)
    return redirectToPayment(reply, model)
  })
}
