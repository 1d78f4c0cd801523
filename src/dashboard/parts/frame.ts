import { html, type Html } from '../../platform/http/html.ts'
import type { Page } from '../../platform/http/page.ts'
import { hasRight } from '../people/rights.ts'
import type { Ask, Content, NavGroup, NavRoute, Place, SignedIn } from '../ask.ts'
import { script, styles } from '../assets/assets.ts'
import { notices } from '../notices.ts'
import { press } from './parts.ts'

// The frame of every page: shop, mode, navigation, notice. Navigation and rights come from the same table of routes, so a
// role never sees a link it can't open.

export function frame(ask: Ask, content: Content, place: Place | undefined, nav: readonly NavRoute[]): Page {
  const { prefix } = ask.dashboard
  const framed = {
    title: `${content.title} · Florin`,
    styles: [...styles, ...(content.styles ?? [])],
    head: html`<script
        defer
        src="${prefix}${script.path}"
        integrity="${script.integrity}"
        crossorigin="anonymous"
      ></script>`,
  }
  const { own } = ask
  return {
    ...framed,
    body: own && !content.isNarrow ? wide(ask, own, content, place, nav) : narrow(ask, content),
  }
}

function narrow(ask: Ask, content: Content): Html {
  return html`<main class="narrow">
    <a class="wordmark" href="${ask.dashboard.prefix}/dashboard">Florin</a>
    ${drawNotice(ask)} ${content.body}
  </main>`
}

function wide(
  ask: Ask,
  own: SignedIn,
  content: Content,
  place: Place | undefined,
  nav: readonly NavRoute[],
): Html {
  const { prefix } = ask.dashboard
  const isTest = place?.mode === 'test'
  return html`<a class="skip" href="#main">Skip to content</a>
    <div class="${isTest && 'in-test'}">
      <header><div class="top">
        <a class="wordmark" href="${prefix}/dashboard">Florin</a>
        ${own.merchants.length > 0 && merchantMenu(ask, own, place)}
        <div class="end">${place && modeSwitch(ask, place)} ${accountMenu(ask, own, place)}</div></div>
        ${isTest && html`<div class="test-strip"><p>Test mode: no money moves.</p></div>`}
      </header>
      <div class="body">
        ${sideNav(ask, own, place, nav)}
        <main id="main">${drawNotice(ask)} ${content.body}</main>
        <footer class="quiet small">Florin ${ask.dashboard.version}</footer>
      </div>
    </div>`
}

function drawNotice({ notice }: Ask): Html | undefined {
  return notice && html`<div class="notice" role="status"><p>${notices[notice]}</p></div>`
}

function merchantMenu(ask: Ask, own: SignedIn, place: Place | undefined): Html {
  const { prefix } = ask.dashboard
  const mode = place?.mode ?? 'test'
  return html`<details class="menu team-menu" data-menu>
    <summary>
      <span>${place?.merchant.name ?? 'Choose a shop'}</span>
    </summary>
    <nav class="sheet" aria-label="Shops">
      ${own.merchants.map(
        ({ id, name }) =>
          html`<a
            href="${prefix}/dashboard/${id}/${mode}"
            ${id === place?.merchant.id && html`aria-current="true"`}
            >${name}</a
          >`,
      )}
    </nav>
  </details>`
}

/** The same page in the other mode. */
function modeSwitch(ask: Ask, { home, mode }: Place): Html {
  const rest = ask.here.slice(home.length).split('?')[0] ?? ''
  const start = home.slice(0, -mode.length)
  return html`<nav class="modes" aria-label="Mode">
    ${(['test', 'live'] as const).map(
      (one) =>
        html`<a href="${start}${one}${rest}" ${one === mode && html`aria-current="true"`}
          >${one === 'test' ? 'Test' : 'Live'}</a
        >`,
    )}
  </nav>`
}

function accountMenu(ask: Ask, { person }: SignedIn, place: Place | undefined): Html {
  const { prefix } = ask.dashboard
  return html`<details class="menu" data-menu>
    <summary>
      <span aria-hidden="true">${initials(person.name)}</span><span class="unseen">Your account: ${person.name}</span>
    </summary>
    <div class="sheet">
      <p><strong>${person.name}</strong><br /><span class="quiet small">${person.email}</span></p>
      <hr />
      <a href="${prefix}/dashboard/account">Your account</a>
      ${person.isOperator && html`<a href="${prefix}/dashboard/installation">This installation</a>`}
      <a href="${prefix}/docs">Guide for developers</a>
      ${place?.mode === 'test' && html`<a href="${place.home}/start">Your first five minutes</a>`}
      <hr />
      ${press(ask, `${prefix}/dashboard/sign-out`, 'Sign out')}
    </div>
  </details>`
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  )
  return letters.join('').toUpperCase()
}

type NavLink = {
  readonly label: string
  readonly to: string
  readonly isHome: boolean
  readonly group?: NavGroup
}

function sideNav(ask: Ask, own: SignedIn, place: Place | undefined, nav: readonly NavRoute[]): Html {
  const links = place ? linksOf(place, nav) : ownLinks(ask, own)
  const groups = Map.groupBy(links, ({ group }) => group ?? '')
  return html`<nav class="side" id="side" aria-label="Pages">
    <button type="button" class="plain menu-button" data-menu-of="side" aria-controls="pages" aria-expanded="true" hidden>Menu</button>
    <div id="pages">
    ${[...groups].map(
      ([name, members]) => html`${name !== '' && html`<h2 id="nav-${name.toLowerCase()}">${name}</h2>`}
        <ul ${name !== '' && html`aria-labelledby="nav-${name.toLowerCase()}"`}>
          ${members.map((link) => drawLink(ask, link))}
        </ul>`,
    )}
    </div>
  </nav>`
}

function linksOf({ role, home }: Place, nav: readonly NavRoute[]): NavLink[] {
  return nav
    .filter(({ right }) => hasRight(role, right))
    .map(({ nav: { label, group }, path }) => ({
      label,
      to: home + path.replace('/:merchant/:mode', ''),
      isHome: path === '/:merchant/:mode',
      ...(group && { group }),
    }))
}

function ownLinks({ dashboard: { prefix } }: Ask, { person }: SignedIn): NavLink[] {
  return [
    { label: 'Your account', to: `${prefix}/dashboard/account`, isHome: false },
    ...(person.isOperator
      ? [{ label: 'This installation', to: `${prefix}/dashboard/installation`, isHome: false }]
      : []),
  ]
}

function drawLink(ask: Ask, { label, to, isHome }: NavLink): Html {
  const path = ask.here.split('?')[0] ?? ''
  const isHere = path === to || (!isHome && path.startsWith(`${to}/`))
  return html`<li><a href="${to}" ${isHere && html`aria-current="page"`}>${label}</a></li>`
}
