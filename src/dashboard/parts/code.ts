import { html, type Html } from '../../platform/http/html.ts'
import { readStylesheet } from '../../platform/http/page.ts'
import type { Snippet } from '../../guide/snippets/read-snippets.ts'

// Code samples with a language switch made of radio buttons, which works without a script.

export const codeStyles = readStylesheet(new URL('./code.css', import.meta.url))

/** `name` is unique on its page. */
export function codeInLanguages(name: string, title: string, snippets: readonly Snippet[]): Html {
  return html`<figure class="code languages">
    <fieldset>
      <legend class="unseen">${title}: language</legend>
      ${snippets.map(
        ({ language }, index) =>
          html`<label
            ><input type="radio" name="${name}" value="${language}" ${index === 0 && html`checked`} />${language}</label
          >`,
      )}
    </fieldset>
    ${snippets.map(
      ({ language, code }, index) =>
        html`<div class="piece">
          <pre class="command" id="${name}-${index}" tabindex="0" role="region" aria-label="${title} in ${language}"><code>${code}</code></pre>
          <button type="button" class="plain" data-copy="${name}-${index}" hidden>Copy</button>
        </div>`,
    )}
  </figure>`
}

/** One code sample with a copy button. */
export function codeToCopy(id: string, title: string, code: string): Html {
  return html`<div class="piece">
    <pre class="command" id="${id}" tabindex="0" role="region" aria-label="${title}"><code>${code}</code></pre>
    <button type="button" class="plain" data-copy="${id}" hidden>Copy</button>
  </div>`
}
