import { html, type Html } from '../../platform/http/html.ts'
import { addressOf, type Chapter, type Section } from '../book.ts'

// The frame of every chapter: the bar with the search, the menu, the link to the next chapter. The menu is a popover on
// phones, which works without a script, and a column on wide screens.

export function drawFrame(
  chapters: readonly Chapter[],
  current: Chapter | undefined,
  prefix: string,
  main: Html,
  words = '',
): Html {
  return html`<a class="skip" href="#main">Skip to the text</a>
    <header class="bar">
      <a class="wordmark" href="${prefix}/docs">Florin <span class="quiet">for developers</span></a>
      <button type="button" class="menu-button" popovertarget="menu">Menu</button>
      <form class="search" role="search" action="${prefix}/docs/search">
        <label class="unseen" for="q">Search the guide</label>
        <input
          id="q"
          name="q"
          type="search"
          value="${words}"
          placeholder="Search the guide"
          aria-keyshortcuts="/"
          autocomplete="off"
          maxlength="100"
        />
        <div class="found" role="region" aria-live="polite" aria-label="Results" hidden></div>
      </form>
    </header>
    <div class="guide">
      <nav id="menu" popover aria-label="Guide">
        <button type="button" class="menu-button" popovertarget="menu" popovertargetaction="hide">Close</button>
        <ul>
          ${chapters.map((chapter) => menuEntry(chapter, chapter === current, prefix))}
          <li class="apart"><a href="${prefix}/openapi.json">openapi.json</a></li>
        </ul>
      </nav>
      <main id="main">${main}</main>
    </div>`
}

function menuEntry(chapter: Chapter, isCurrent: boolean, prefix: string): Html {
  const address = addressOf(prefix, chapter)
  if (!isCurrent) return html`<li><a href="${address}">${chapter.menu}</a></li>`
  return html`<li>
    <a href="${address}" aria-current="page">${chapter.menu}</a>
    <ul>
      ${chapter.sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ul>
  </li>`
}

export function drawChapter(chapters: readonly Chapter[], chapter: Chapter, prefix: string): Html {
  const next = chapters[chapters.indexOf(chapter) + 1]
  return drawFrame(
    chapters,
    chapter,
    prefix,
    html`<div class="lead">
        <h1>${chapter.title}</h1>
        <p>${chapter.lead}</p>
      </div>
      ${chapter.sections.map(drawSection)}
      ${next && html`<p class="next">Next: <a href="${addressOf(prefix, next)}">${next.title}</a></p>`}`,
  )
}

function drawSection({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title"><a class="anchor" href="#${id}">${title}</a></h2>
    ${body}
  </section>`
}
