import { drawAround, drawOnce, html, type Holes, type Html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { script } from '../assets/assets.ts'
import { languages, offeredLanguages, type Language, type Words } from '../language.ts'
import type { PageModel, Setting, Shop } from '../page-model.ts'
import { contactOf, shopLine, stylesOf } from './shop/shop.ts'

// The frame of every screen: the test banner, the shop, the languages, the script.

export type Framed = {
  readonly title: string
  readonly content: Html
  /** Two columns where there is room. */
  readonly isWide?: boolean
  readonly isTest?: boolean
  /** A network's play money: no test mode of ours, and yet no money. */
  readonly isSandbox?: boolean
  /** Nothing more will happen: the banner says that no money was taken, not that none will be. */
  readonly isOver?: boolean
  readonly head?: Html | undefined
  /** For pages with a form. */
  readonly watched?: Html
  /** The payment's own address, for the languages; without it they stay on the address that was asked for. */
  readonly home?: string
}

export function frame(setting: Setting, framed: Framed): Page {
  const { language } = setting
  return {
    title: framed.title,
    language: language.code,
    direction: language.direction,
    styleFile: setting.prefix + setting.styleFile.path,
    styles: stylesOf(setting),
    head: drawHead(script, { prefix: setting.prefix, embed: embedMark(setting), more: framed.head }),
    body: drawBody(language.words, {
      banner: banner(language, framed),
      columns: framed.isWide ? 'columns' : 'column',
      watched: framed.watched,
      shop: !framed.isWide && shopLine(setting),
      content: framed.content,
      contact: contactOf(setting),
      footer: footer(language, framed.home, setting.shop),
    }),
  }
}

const drawHead = drawAround(
  (file: typeof script, { prefix, embed, more }: Holes<'prefix' | 'embed' | 'more'>) =>
    html`<script
        defer
        src="${prefix}${file.path}"
        integrity="${file.integrity}"
        crossorigin="anonymous"
      ></script>
      ${embed}${more}`,
)

type BodyParts = 'banner' | 'columns' | 'watched' | 'shop' | 'content' | 'contact' | 'footer'

const drawBody = drawAround(
  (words: Words, parts: Holes<BodyParts>) => html`${parts.banner}
      <main class="${parts.columns}" data-offline="${words.offline}" data-online="${words.waitOver}" ${parts.watched}>
        ${parts.shop}${parts.content}${parts.contact}
      </main>
      ${parts.footer}`,
)

/** For the script: the pages it may tell about the payment. */
function embedMark({ embed }: Setting): Html | undefined {
  return (
    embed &&
    html`<meta name="florin-embed" content="${embed.origins.join(' ')}" data-screen="${embed.screen}" ${embed.returnTo !== undefined && html`data-return="${embed.returnTo}"`} />`
  )
}

/** The banner above a page of this payment. */
export function bannerOf(model: PageModel): { readonly isTest: boolean; readonly isSandbox: boolean } {
  return { isTest: model.view.payment.mode === 'test', isSandbox: model.isSandbox ?? false }
}

function banner({ words }: Language, { isTest, isSandbox, isOver }: Framed): Html | false {
  if (!isTest && !isSandbox) return false
  if (!isSandbox && !isOver) return testBanner(words)
  return drawBanner(isSandbox ? words.sandboxBanner : words.testReceipt)
}

const testBanner = drawOnce((words: Words) => drawBanner(words.testBanner))

function drawBanner(sentence: string): Html {
  return html`<header class="test-banner">
    <p>${sentence}</p>
  </header>`
}

function footer(language: Language, home: string | undefined, shop: Shop | undefined): Html {
  const path = home?.split('?')[0]
  const offered = offeredLanguages(shop?.brand.languages ?? [])
  if (offered === languages) return usualFooter(language, { path: html`${path}` })
  return drawFooter(language, offered, html`${path}`)
}

/** For shops that offer all languages. */
const usualFooter = drawAround((language: Language, { path }: Holes<'path'>) =>
  drawFooter(language, languages, path),
)

function drawFooter(language: Language, offered: readonly Language[], path: Html): Html {
  return html`<footer>
    ${offered.length > 1 && languageSwitch(language, offered, path)}
    <p class="by">Florin</p>
  </footer>`
}

function languageSwitch(language: Language, offered: readonly Language[], path: Html): Html {
  return html`<nav aria-label="${language.words.languages}">
    <ul>
      ${offered.map(
        ({ code, direction, words }) => html`<li>
          <a
            href="${path}?lang=${code}"
            lang="${code}"
            hreflang="${code}"
            dir="${direction}"
            ${code === language.code && html`aria-current="true"`}
            >${words.languageName}</a
          >
        </li>`,
      )}
    </ul>
  </nav>`
}
