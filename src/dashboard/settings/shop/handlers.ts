import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { changeShop } from '../../../core/merchants/create-merchant.ts'
import { changeBrand } from '../../../core/merchants/brand/change-brand.ts'
import { checkPicture } from '../../../core/merchants/pictures/check-picture.ts'
import type { Picture } from '../../../core/merchants/pictures/pictures.ts'
import type { Answer, Content, MemberAsk, Route } from '../../ask.ts'
import { forMember, go, orShowMistakes, show } from '../../define-route.ts'
import { actorOf, fresh, merchantNow, pathOf } from '../parts.ts'
import { readDraft, writeDraft } from './draft.ts'
import { changesOf, draftOf, readTyped, shopName, typedOf, type Shown } from './fields.ts'
import { editPage, logoPage } from './form-pages.ts'
import { shopPage } from './page.ts'
import { previewed, sampleMail } from './previews.ts'

// The shop's appearance, with previews. It all appears in e-mails, so every change asks for the password or a passkey.

/** Allows our own frames on this page. */
function showWithFrames(content: Content): Answer {
  return { kind: 'page', content, policy: { frames: ["'self'"] } }
}

async function save(ask: MemberAsk): Promise<Answer> {
  const merchant = await merchantNow(ask)
  const typed = readTyped(ask.fields, typedOf(merchant))
  return orShowMistakes(
    async () => {
      const name = shopName(typed)
      const changes = { merchant: { name }, brand: changesOf(typed) }
      await changeShop(ask.core.db, merchant.id, changes, actorOf(ask))
      return { ...go(pathOf(ask, '/shop')), notice: 'shop_changed' }
    },
    (mistakes) => editPage(ask, typed, { mistakes }),
  )
}

async function look(ask: MemberAsk): Promise<Answer> {
  const merchant = await merchantNow(ask)
  const typed = readTyped(ask.fields, typedOf(merchant))
  return orShowMistakes(
    async () => {
      draftOf(merchant, typed)
      return showWithFrames(editPage(ask, typed, { draft: writeDraft(ask.own.cookie, typed) }))
    },
    (mistakes) => editPage(ask, typed, { mistakes }),
  )
}

/** A preview of the stored shop, or of its draft. */
async function preview(ask: MemberAsk): Promise<Answer> {
  const what = previewed.find((one) => one === ask.params['what'])
  if (!what) throw new Refusal('not_found')
  const { core, dashboard } = ask
  const { mode } = ask.place
  const merchant = await shownShop(ask)
  if (what === 'checkout') return { kind: 'framed', page: dashboard.samples.checkout({ merchant, mode }) }
  if (what === 'mail') {
    const body = sampleMail(merchant, mode, core.now(), dashboard.prefix)
    return { kind: 'framed_text', type: 'text/html; charset=utf-8', body }
  }
  const body = await dashboard.samples.receipt({ merchant, mode })
  if (body) return { kind: 'framed_text', type: 'application/pdf', body }
  const sentence = 'The receipt fonts can’t show this name, so customers print the page instead.'
  return { kind: 'framed_text', type: 'text/plain; charset=utf-8', body: sentence }
}

async function shownShop(ask: MemberAsk): Promise<Shown> {
  const merchant = await merchantNow(ask)
  const { draft } = ask.query
  if (draft === undefined) return merchant
  const typed = readDraft(ask.own.cookie, draft)
  if (!typed) throw new Refusal('not_found')
  return draftOf(merchant, typed)
}

async function changeLogo(ask: MemberAsk): Promise<Answer> {
  const url = (ask.fields.get('url') ?? '').trim()
  const merchant = await merchantNow(ask)
  return orShowMistakes(
    async () => {
      const logo = await readLogo(ask, url)
      await changeBrand(ask.core.db, merchant.id, { logo }, actorOf(ask))
      return { ...go(pathOf(ask, '/shop')), notice: 'logo_changed' }
    },
    (mistakes) => logoPage(ask, merchant, url, mistakes),
  )
}

/** A file wins over a URL. Browsers send an empty file if none was chosen. */
async function readLogo(ask: MemberAsk, url: string): Promise<Picture> {
  const file = ask.files.get('file')
  if (file && file.length > 0) {
    const checked = checkPicture(file)
    if (!checked.ok) throw brokenRule('file', `The picture ${checked.rule}`)
    return checked.picture
  }
  if (url === '') throw brokenRule('file', 'Choose an image, or enter its URL')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw brokenRule('url', 'The URL must start with https://')
  const checked = await ask.dashboard.fetchLogo(url)
  if (!checked.ok) throw brokenRule('url', `The picture ${checked.rule}`)
  return checked.picture
}

/** A picture of 200 kB, and the form around it. */
const logoFormBytesMax = 256 * 1024

export const shopRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/settings/shop',
    'settings.view',
    async (ask) => showWithFrames(shopPage(ask, await merchantNow(ask))),
    { nav: { label: 'Shop', order: 70, group: 'Settings' } },
  ),
  forMember('GET', '/settings/shop/preview/:what', 'settings.view', preview),
  forMember(
    'GET',
    '/settings/shop/edit',
    'settings.change',
    async (ask) => show(editPage(ask, typedOf(await merchantNow(ask)))),
    fresh,
  ),
  forMember('POST', '/settings/shop/edit', 'settings.change', save, fresh),
  forMember('POST', '/settings/shop/edit/do/preview', 'settings.change', look),
  forMember(
    'GET',
    '/settings/shop/logo',
    'settings.change',
    async (ask) => show(logoPage(ask, await merchantNow(ask))),
    fresh,
  ),
  forMember('POST', '/settings/shop/logo', 'settings.change', changeLogo, {
    ...fresh,
    takesFiles: logoFormBytesMax,
  }),
  forMember(
    'POST',
    '/settings/shop/logo/do/remove',
    'settings.change',
    async (ask) => {
      await changeBrand(ask.core.db, ask.place.merchant.id, { logo: 'none' }, actorOf(ask))
      return { ...go(pathOf(ask, '/shop')), notice: 'logo_removed' }
    },
    fresh,
  ),
]
