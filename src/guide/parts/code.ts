import { html, type Html } from '../../platform/http/html.ts'
import type { Snippet } from '../snippets/read-snippets.ts'

// Code as it is copied. The script adds the button.

export function codeBlock(title: string, code: string): Html {
  return html`<figure class="code">
    <figcaption><span>${title}</span></figcaption>
    <pre tabindex="0" aria-label="${title}"><code>${code}</code></pre>
  </figure>`
}

export function jsonBlock(title: string, value: unknown): Html {
  return codeBlock(title, JSON.stringify(value, null, 2))
}

/** One at a time, chosen by radio buttons: that works without a script. `name` is unique on its page. */
export function codeInLanguages(name: string, title: string, snippets: readonly Snippet[]): Html {
  return html`<figure class="code languages">
    <figcaption><span>${title}</span></figcaption>
    <fieldset>
      <legend class="unseen">${title}: language</legend>
      ${snippets.map(
        ({ language }, index) =>
          html`<label
            ><input type="radio" name="${name}" value="${language}" ${index === 0 && 'checked'} />${language}</label
          >`,
      )}
    </fieldset>
    ${snippets.map(
      ({ language, code }) =>
        html`<pre tabindex="0" aria-label="${title} in ${language}"><code>${code}</code></pre>`,
    )}
  </figure>`
}
