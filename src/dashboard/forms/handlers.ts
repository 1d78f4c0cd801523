import { brokenRule } from '../../platform/errors/refusals.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import { lookUpKey, type Caller } from '../../core/merchants/authenticate.ts'
import { readKey } from '../../core/merchants/key-format.ts'
import { isCurrency } from '../../platform/money/currencies.ts'
import { plainAmount } from '../../platform/money/money.ts'
import { readTypedAmount } from '../../platform/money/typed-amount.ts'
import { listFormRefusals } from '../../core/payments/api/form-refusals.ts'
import { mayShowTitle } from '../../core/payments/api/form-signature.ts'
import { completeForm, drawForm, signedIfNeeded } from '../../core/payments/api/write-form.ts'
import type { MemberAsk, Route } from '../ask.ts'
import { forMember, orShowMistakes, show } from '../define-route.ts'
import { formFields, formsPage, refusedFormsPage, type Made } from './pages.ts'

// The form generator. It changes nothing; it uses POST so that no key appears in a URL.

const nav = { label: 'Forms', order: 52, group: 'Developers' } as const

/** Turns a typed 12,50 into the plain decimal that forms need. */
function withPlainAmount(typed: FormFields): FormFields {
  const [text, currency = 'GBP'] = [typed.get('amount'), typed.get('currency')?.toUpperCase()]
  if (text === undefined || !isCurrency(currency)) return typed
  const read = readTypedAmount(text, currency)
  if (!read.ok) throw brokenRule('amount', read.rule)
  return new Map([...typed, ['amount', plainAmount(read.minor, currency)]])
}

function typedIn({ fields }: MemberAsk): FormFields {
  return new Map(
    formFields.flatMap((name): [string, string][] => {
      const value = fields.get(name)?.trim() ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  )
}

/** The key's owner. Refuses keys of other merchants or modes, and keys that don't belong in a page. */
async function holderOf({ core, place }: MemberAsk, key: string): Promise<Caller> {
  const parts = readKey(key)
  if (parts?.kind === 'secret')
    throw brokenRule('secret_key', 'Don’t put a secret key in a page. Create a form key instead')
  const found = parts && (await lookUpKey(core.db, key))
  const isOwn = found?.merchant.id === place.merchant.id && found.mode === place.mode
  if (found?.kind !== 'form' || !isOwn)
    throw brokenRule('secret_key', `This isn’t an active ${place.mode} form key`)
  return found as Caller
}

const titles = ['title', 'description']

async function makeForm(ask: MemberAsk, typed: FormFields): Promise<Made | undefined> {
  const key = typed.get('secret_key')
  if (key === undefined) throw brokenRule('secret_key', 'Enter a form key')
  const holder = await holderOf(ask, key)
  // The key came from the new-key page and nothing else is filled in yet.
  if (!typed.has('amount') && typed.size <= 2) return undefined
  if (!mayShowTitle(holder) && titles.some((name) => typed.has(name)))
    throw brokenRule(
      'title',
      'This key doesn’t allow a title or description. Create a key that does, or one for signed forms',
    )
  const whole = signedIfNeeded(
    ask.dashboard.secrets,
    holder,
    completeForm(holder, key, withPlainAmount(typed)),
  )
  return {
    code: drawForm(`${ask.dashboard.baseUrl}/ext_transfer`, whole),
    fields: whole,
    isSigned: holder.sealedFormSecret !== undefined,
  }
}

export const formsRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/forms',
    'keys.view',
    (ask) => show(formsPage(ask, { typed: new Map(), made: undefined, mistakes: {} })),
    { nav },
  ),
  // It may sign a form, which needs the right to change keys.
  forMember('POST', '/forms', 'keys.change', (ask) => {
    const typed = typedIn(ask)
    return orShowMistakes(
      async () => show(formsPage(ask, { typed, made: await makeForm(ask, typed), mistakes: {} })),
      (mistakes) => formsPage(ask, { typed, made: undefined, mistakes }),
    )
  }),
  forMember('GET', '/forms/refused', 'keys.view', async (ask) => {
    const { merchant, mode } = ask.place
    return show(refusedFormsPage(ask, await listFormRefusals(ask.core.db, { merchantId: merchant.id, mode })))
  }),
]
