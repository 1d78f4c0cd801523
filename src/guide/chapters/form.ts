import { html } from '../../platform/http/html.ts'
import type { Operation } from '../../platform/http/openapi/openapi.ts'
import type { ChapterText, Section, Source } from '../book.ts'
import { signedFields, signedIfThere } from '../../core/payments/api/form-signature.ts'
import { readSnippet, readSnippets, clientLanguages } from '../snippets/read-snippets.ts'
import { codeBlock, codeInLanguages } from '../parts/code.ts'
import { operationSection } from '../parts/operation.ts'

export function formChapter(source: Source): ChapterText {
  const { baseUrl, operations } = source
  return {
    menu: 'Web form',
    title: 'Start a payment from your own page',
    lead: 'A form on your page, posted by the customer’s browser, leads to the checkout page. It needs no program on your side, unless you sign it.',
    sections: [
      {
        id: 'html',
        title: 'The form',
        body: html`${codeBlock('HTML', readSnippet('forms/form.html', baseUrl))}
          <p>
            A good post leads to the checkout page. A bad one shows a page that tells the customer that no money has
            been taken, and you which rule failed. Fill in <code>tx_ref</code>, <code>amount</code> and the customer’s
            fields when you write the page; a <code>tx_ref</code> is for one payment. A customer whose name or address was
            mistyped can correct it in place; what else was refused stands in
            <a href="#listFormRefusals">the list of refused forms</a>.
          </p>
          <p>
            In a signed form, and with a key that was made with <code>--allow-title</code>, <code>items</code> is the list
            of <a href="payments">a payment</a> as JSON text in one field, such as
            <code>[{"name":"Chair","quantity":2,"unit_amount":"10.00","tax_rate":"20"}]</code>, or inputs named
            <code>items[0][name]</code>; a signed form has JSON text. Its lines add up to the
            amount, or the form is refused. In other forms of a form key <code>title</code>, <code>description</code>,
            <code>logo</code> and <code>items</code> are ignored.
          </p>`,
      },
      {
        id: 'form-key',
        title: 'Use a form key',
        body: html`<p>
            Everybody who opens your page can read what stands in it. A form key can only start payments, and only
            within what you bound it to:
          </p>
          ${codeBlock('Shell', 'florin key create --kind form --hosts shop.example.com --tx-ref-prefix web- --currency GBP --max 500.00')}
          <p>
            <code>return_url</code> and <code>callback_url</code> may lead to its hosts only, every
            <code>tx_ref</code> begins with its prefix. <code>title</code>, <code>description</code>,
            <code>logo</code> and <code>items</code> are ignored, so that no stranger writes under your name, unless the form is signed or its
            key was made with <code>--allow-title</code>. Requests are counted per key and address.
          </p>
          <p>
            A secret key in the field works too. A live one that is seen in a form is marked as exposed, and you are
            warned: roll it.
          </p>`,
      },
      signedSection(baseUrl),
      {
        id: 'check',
        title: 'Check the amount',
        body: html`<p class="note">
          A customer can change every field of a form that is not signed before sending it.
          <strong>Before you deliver, look the transaction up and compare amount_minor and currency with your
            order.</strong>
        </p>`,
      },
      ...operations.filter(isOfForms).map((operation) => operationSection(operation, source, [])),
    ],
  }
}

function signedSection(baseUrl: string): Section {
  return {
    id: 'signed',
    title: 'Sign the form',
    body: html`<p>
        A key that takes signed forms only lets nobody change an amount or take a <code>tx_ref</code>. It comes with a
        secret, for your program alone; both are shown once.
      </p>
      ${codeBlock('Shell', 'florin key create --kind form --hosts shop.example.com --signed')}
      <p>
        <code>form_signature</code> is the HMAC-SHA256, in hex, keyed with the secret as it was shown, of these lines joined by line feeds:
        <code>florin-form-v1</code>, then <code>name=value</code> for each of
        ${signedFields.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`)} and
        <code>form_signed</code>, in this order. A field that is not in the form has nothing behind its
        <code>=</code>. In values a backslash is written <code>\\\\</code> and a line break <code>\\n</code>.
        <code>meta</code> is JSON text in one field. A form with
        ${signedIfThere.map((name, index) => html`${index > 0 && ' or '}<code>${name}</code>`)} has a line for it between <code>project</code> and
        <code>form_signed</code>, in this order; one without has none.
      </p>
      <p>
        E-mail address and names are the customer’s to type and to correct. To sign them too, name them in
        <code>form_signed</code>, such as <code>email first_name</code>; their lines follow in that order.
      </p>
      ${codeInLanguages('sign-form', 'A signed form', readSnippets('forms/sign', baseUrl, ['curl', 'Ruby', 'Go', ...clientLanguages]))}
      <p><code>florin form --key fk_… --amount 20.00</code> prints a whole form, signed if its key wants that.</p>`,
  }
}

export function isOfForms({ id, key }: Operation): boolean {
  return key === 'in the form' || id === 'listFormRefusals'
}
