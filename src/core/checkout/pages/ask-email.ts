import { html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { fill, type Words } from '../language.ts'
import { addressOf, sentence, type PageModel } from '../page-model.ts'
import { frame } from '../parts/frame.ts'

/** Before an old receipt opens: names only the shop, and doesn't repeat the input. */
export function askEmailPage(model: PageModel, mistake?: keyof Words): Page {
  const { words } = model.language
  const title = words.oldReceiptTitle
  return frame(model, {
    title: mistake === undefined ? title : fill(words.errorTitle, { title }),
    isTest: model.view.payment.mode === 'test',
    isOver: true,
    home: addressOf(model),
    content: html`<section class="card sheet form" aria-labelledby="old-receipt">
      <h1 id="old-receipt">${title}</h1>
      <p>${sentence(model, 'oldReceiptBody')}</p>
      <form method="post" action="${addressOf(model, '/receipt')}" novalidate>
        <input type="hidden" name="token" value="${model.token}" />
        <div class="field">
          <label for="email">${words.email}</label>
          <input
            id="email"
            name="email"
            type="email"
            inputmode="email"
            dir="ltr"
            required
            autofocus
            autocomplete="email"
            spellcheck="false"
            ${mistake !== undefined && html`aria-describedby="email-error" aria-invalid="true"`}
          />
          ${mistake !== undefined && html`<p class="error" id="email-error">${words[mistake]}</p>`}
        </div>
        <button class="go" type="submit">${words.showReceipt}</button>
      </form>
    </section>`,
  })
}
