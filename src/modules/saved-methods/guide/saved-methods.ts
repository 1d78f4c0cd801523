import { html } from '../../../platform/http/html.ts'
import { savedMethodSchema } from '../api/schemas.ts'
import type { ChapterText, Source } from '../../../guide/book.ts'
import { codeBlock } from '../../../guide/parts/code.ts'
import { objectSection } from '../../../guide/parts/fields.ts'
import { operationSection } from '../../../guide/parts/operation.ts'
import { table, words } from '../../../guide/parts/table.ts'

const onePress = {
  id: 'one-press',
  title: 'Pay by one press',
  body: html`<p>
      Create a payment with <code>customer_ref</code> and without <code>save</code>, and the checkout page offers
      that customer’s saved methods first: “Pay £12.34 with Visa •••• 4242”. Set <code>customer_ref</code> only
      for a customer who is signed in at your shop: whoever opens the link can pay with their method.
    </p>
    <p>
      Every receipt of a payment that saved a method, or was paid with one, links to a page where the customer
      sees what was agreed and what was charged, and ends it. You get <code>method.ended</code>.
    </p>`,
}

export function savedMethodsChapter(source: Source): ChapterText {
  return {
    menu: 'Saved methods',
    title: 'Saved methods',
    lead: 'Let a customer agree once, and charge them again without asking: subscriptions, memberships, top-ups.',
    sections: [
      {
        id: 'save',
        title: 'Save a method',
        body: html`<p>
            Create a payment with <code>save</code> and <code>customer_ref</code>, your own name for the customer. The
            checkout page says what they agree to, above the button, and offers only networks that can save. Florin
            keeps the words, the time, the address and the language as evidence. Once paid, the transaction shows
            <code>saved_method</code>, and <code>method.saved</code> is sent.
          </p>
          ${codeBlock(
            'Shell',
            `curl -X POST "${source.baseUrl}/api/payment" \\\n  -H "Authorization: Bearer $FLORIN_KEY" -H "Content-Type: application/json" \\\n  -d '{"tx_ref": "join-77", "amount": "9.90", "currency": "GBP", "email": "ada@example.com", "first_name": "Ada", "save": "recurring", "customer_ref": "customer-77"}'`,
          )}`,
      },
      onePress,
      {
        id: 'failures',
        title: 'When a charge fails',
        body: table(
          ['failure.code', 'what it means', 'what to do'],
          [
            [
              words('declined'),
              'The bank said no this time.',
              'Charge again after retry_after, with a new tx_ref.',
            ],
            [
              words('needs_customer'),
              'The bank wants the customer. status stays pending.',
              'Send the customer to checkout_url, or charge with email_customer: true.',
            ],
            [
              words('method_ended'),
              'Stolen, closed, revoked or expired. Florin never charges the method again.',
              'Ask the customer for another method.',
            ],
            [
              words('network_silent'),
              'The network never got it. Nothing was charged.',
              'Charge again, with a new tx_ref.',
            ],
          ],
        ),
      },
      ...source.operations
        .filter((operation) => operation.group === 'Saved methods')
        .map((operation) => operationSection(operation, source, ['SavedMethod'])),
      objectSection(
        savedMethodSchema,
        'The saved method',
        'The same in the look-up, in lists and in notifications.',
      ),
    ],
  }
}
