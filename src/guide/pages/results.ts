import { html, type Html } from '../../platform/http/html.ts'
import { addressOf } from '../book.ts'
import type { Hit } from '../search.ts'

export function drawResults(hits: readonly Hit[], words: string, prefix: string): Html {
  return html`<div class="lead"><h1>Search</h1></div>
    ${hits.length > 0 ? drawHits(hits, prefix) : nothing(words)}`
}

function drawHits(hits: readonly Hit[], prefix: string): Html {
  return html`<ol class="results">
    ${hits.map(
      ({ chapter, section, excerpt }) =>
        html`<li>
          <a href="${addressOf(prefix, chapter)}#${section.id}"
            ><strong>${section.title}</strong> <span class="quiet">${chapter.menu}</span>
            <span class="excerpt">${excerpt}</span></a
          >
        </li>`,
    )}
  </ol>`
}

function nothing(words: string): Html {
  return words.trim() === ''
    ? html`<p class="nothing">Type a word: a field, a code, an event, a card.</p>`
    : html`<p class="nothing">Nothing in the guide has all of these words. Try one of them.</p>`
}
