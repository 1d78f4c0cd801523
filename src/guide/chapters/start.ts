import { html } from '../../platform/http/html.ts'
import type { ChapterText, Section, Source } from '../book.ts'
import { readSnippets } from '../snippets/read-snippets.ts'
import { collectionPaths } from '../collections/paths.ts'
import { codeBlock, codeInLanguages, jsonBlock } from '../parts/code.ts'
import { createdExample, foundExample } from '../parts/examples.ts'

export function startChapter(source: Source): ChapterText {
  const { baseUrl, prefix } = source
  return {
    menu: 'Start here',
    title: 'Take a payment with two calls',
    lead: 'Create a payment link and send your customer to it. When we tell you that it was paid, look the transaction up and deliver.',
    sections: [
      {
        id: 'keys',
        title: '1. Take a test key',
        body: html`<p>
            The first start of Florin prints one; <code>florin key create</code> makes another. Keep it in the
            environment of your program, never in its code or in a page.
          </p>
          ${codeBlock('Shell', 'export FLORIN_KEY="$(florin key create)"')}
          <p>
            The key decides. With <code>sk_test_…</code> nothing leaves the test network and no money moves;
            <code>sk_live_…</code> is for
            <a href="${prefix}/docs/live">real networks</a>.
            What one mode made, the other does not see. <a href="${prefix}/docs/form">Web forms</a> take a form key,
            <code>fk_test_…</code>, and <a href="${prefix}/docs/projects">projects</a> an API key, <code>ak_…</code> in
            both modes.
          </p>`,
      },
      {
        id: 'create',
        title: '2. Create a payment link',
        body: html`${codeInLanguages('create', 'Create a payment', readSnippets('create', baseUrl))}
          ${jsonBlock('Answer 201', createdExample(source))}
          <p>
            Each prints the <code>tx_ref</code> that it drew, or keeps it in <code>TX_REF</code>.
            Redirect your customer to <code>checkout_url</code>. In test mode the page lists
            <a href="${prefix}/docs/testing#cards">cards</a> for every outcome.
          </p>`,
      },
      {
        id: 'look-up',
        title: '3. Look it up',
        body: html`<p>
            When the customer comes back to your <code>return_url</code>, or when a
            <a href="${prefix}/docs/notifications">notification</a> arrives. <code>TX_REF</code> is the
            <code>tx_ref</code> of the payment:
          </p>
          ${codeInLanguages('look-up', 'Look a transaction up', readSnippets('look-up', baseUrl))}
          <p class="note">
            <strong>The envelope speaks of the call, not of the money.</strong> A look-up that works says
            <code>success</code> even when the payment failed. Whether money moved is <code>data.status</code>. Deliver
            only when that says <code>success</code>, and compare <code>amount_minor</code> and
            <code>currency</code> with your order.
          </p>
          ${jsonBlock('Answer 200', foundExample(source))}`,
      },
      ...goodToKnow(source),
    ],
  }
}

function goodToKnow({ prefix }: Source): Section[] {
  return [
    {
      id: 'envelope',
      title: 'What every answer has',
      body: html`<p>
          Every answer is JSON with <code>status</code>, <code>message</code> and <code>data</code>, and carries
          <code>x-request-id</code> and <code>Florin-Version</code>. On failure <code>data</code> is <code>null</code>, <code>message</code> names the
          first rule that failed, <code>code</code> is a stable word for programs, and <code>errors</code> lists every
          failed rule by field. <a href="${prefix}/docs/errors">All codes, and what to do about each</a>. Fields may be
          added to answers, and values to those that are listed (a <code>status</code>, an <code>event</code>, a
          <code>code</code>): ignore the ones you do not know.
        </p>`,
    },
    {
      id: 'again',
      title: 'When a call breaks off',
      body: html`<p>
          Send <code>Idempotency-Key</code> with every create, a value that is new for each order. If the answer is
          lost, send the same call again: the same key with the same body gives the first answer again for 24 hours,
          and never a second payment. Without one, <code>tx_ref</code> protects you all the same: the second create is
          409, and the look-up shows the first.
        </p>`,
    },
    {
      id: 'clients',
      title: 'Clients and collections',
      body: html`<p>
          Two clients do all of this with one import: retries that never charge twice, errors as classes, lists that go on over their pages, and
          signed notifications. Choose <strong>JS client</strong> or <strong>PHP client</strong> above any code.
        </p>
        ${codeBlock('TypeScript and JavaScript', 'npm install florin-client')}
        ${codeBlock('PHP', 'composer require florin/florin-php guzzlehttp/guzzle')}
        <p>
          To try calls by hand, download the collection for
          <a href="${prefix}${collectionPaths.postman}" download>Postman</a> (Insomnia and Hoppscotch import it too) or
          <a href="${prefix}${collectionPaths.bruno}" download>Bruno</a> (unpack it and open the folder). Set <code>secret_key</code>
          and <code>api_key</code>; each call has tests.
        </p>
        <p>
          <a href="${prefix}/openapi.json">openapi.json</a> describes everything for programs (OpenAPI 3.1, notifications included). Generators such as
          <code>openapi-typescript</code> and <code>@hey-api/openapi-ts</code> make typed clients from it, and our tests run both.
        </p>`,
    },
  ]
}
