import { html } from '../../http/html.ts'
import type { Operation } from '../../http/openapi/openapi.ts'
import type { Chapter, Source } from '../book.ts'
import { readSnippet } from '../snippets.ts'
import { codeBlock } from './code.ts'
import { operationSection } from './operation.ts'

export function formChapter(source: Source): Chapter {
  const { baseUrl, operations } = source
  return {
    name: 'form',
    menu: 'Web form',
    title: 'Start a payment from your own page',
    lead: 'A form on your page, posted by the customer’s browser, leads to the checkout page. No program on your side.',
    sections: [
      {
        id: 'html',
        title: 'The form',
        body: html`${codeBlock('HTML', readSnippet('form.html', baseUrl))}
          <p>
            A good post leads to the checkout page. A bad one shows a page that tells the customer that no money has
            been taken, and you which rule failed. Fill in <code>tx_ref</code>, <code>amount</code> and the customer’s
            fields when you write the page; a <code>tx_ref</code> is for one payment. A customer whose name or address was
            mistyped can correct it in place; what else was refused stands in
            <a href="#listFormRefusals">the list of refused forms</a>.
          </p>`,
      },
      {
        id: 'form-key',
        title: 'Use a form key',
        body: html`<p>
            Everybody who opens your page can read what stands in it. A form key can only start payments, and only
            within what you bound it to:
          </p>
          ${codeBlock('Shell', 'florin key create --kind form --hosts shop.example.com --currency GBP --min 1.00 --max 500.00')}
          <p>
            A secret key in the field works too. A live one that is seen in a form is marked as exposed, and you are
            warned: roll it.
          </p>`,
      },
      {
        id: 'check',
        title: 'Check the amount',
        body: html`<p class="note">
          A customer can change every field of a form before sending it.
          <strong>Before you deliver, look the transaction up and compare amount_minor and currency with your
            order.</strong>
        </p>`,
      },
      ...operations.filter(isOfForms).map((operation) => operationSection(operation, source, [])),
    ],
  }
}

export function isOfForms({ id, key }: Operation): boolean {
  return key === 'in the form' || id === 'listFormRefusals'
}
