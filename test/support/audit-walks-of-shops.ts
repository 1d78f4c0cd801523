import { createKey } from '../../src/core/merchants/change-keys.ts'
import type { AuditAction } from '../../src/core/audit/audit.ts'
import { createProject } from '../../src/core/projects/create-project.ts'
import type { Reason, Walk } from './walk.ts'
import type { OpenIdHouse } from './openid-house.ts'
import { createPayment } from './pay.ts'
import { paidPayment } from './refunds.ts'
import { saveCard } from './saved-methods.ts'
import { signedIn, type Visitor } from './visitor.ts'

// The forms on the pages of a shop and of the installation: see audit-walks.ts.

type Sent = { readonly page: string; readonly to?: string; readonly fields?: Record<string, string> }

/** `set` does what comes before, and says which form is sent from which page. */
function walk(
  leaves: readonly AuditAction[],
  set: (at: OpenIdHouse, who: Visitor) => Promise<Sent> | Sent,
): Walk {
  return {
    leaves,
    prepare: async (at) => {
      const visitor = await signedIn(at.house, { role: 'owner', isOperator: true })
      const { page, to = page, fields = {} } = await set(at, visitor)
      await visitor.get(page)
      return () => visitor.post(to, fields)
    },
  }
}

const home = ({ house }: OpenIdHouse): string => `/dashboard/${house.merchantId}/test`
const here = '/dashboard/:merchant/:mode'

async function pending(at: OpenIdHouse): Promise<string> {
  return `${home(at)}/payments/${(await createPayment(at.house)).number}`
}

async function paid(at: OpenIdHouse, fields: Record<string, unknown> = {}): Promise<string> {
  return `${home(at)}/payments/${(await paidPayment(at.house, 'good', fields)).number}`
}

async function savedMethod(at: OpenIdHouse): Promise<string> {
  return `${home(at)}/saved-methods/${(await saveCard(at.house)).id}`
}

/** In the form that is sent to `to`. */
async function idOnPage(who: Visitor, page: string, to: string): Promise<string> {
  const { text } = await who.get(page)
  return /name="id" value="([^"]+)"/.exec(text.slice(text.indexOf(`action="${to}"`)))?.[1] ?? ''
}

const ofPayments: Readonly<Record<string, Walk | Reason>> = {
  [`POST ${here}/payments/all/export`]: walk(['payments.exported'], (at) => ({
    page: `${home(at)}/payments`,
    to: `${home(at)}/payments/all/export`,
  })),
  [`POST ${here}/bookkeeping/do/export`]: walk(['bookkeeping.exported'], (at) => ({
    page: `${home(at)}/payments`,
    to: `${home(at)}/bookkeeping/do/export`,
  })),
  [`POST ${here}/bookkeeping/bank`]: {
    excused: 'brings a file: bookkeeping.test.ts does, and finds its entry',
  },
  [`POST ${here}/customers/one/do/export`]: walk(['customer.exported'], async (at) => ({
    page: await pending(at),
    to: `${home(at)}/customers/one/do/export`,
    fields: { email: 'ada@example.com' },
  })),
  [`POST ${here}/customers/one/erase`]: {
    excused: 'would erase the customer of the others: dashboard-customers.test.ts does, and finds its entry',
  },
  [`POST ${here}/payments/:number/cancel`]: walk(['payment.cancelled'], async (at) => ({
    page: `${await pending(at)}/cancel`,
  })),
  [`POST ${here}/saved-methods/:method/charge`]: { excused: 'only asks whether to charge' },
  [`POST ${here}/saved-methods/:method/charge/do/confirm`]: walk(['saved_method.charged'], async (at) => {
    const page = `${await savedMethod(at)}/charge`
    const fields = { tx_ref: 'walked-charge', amount: '5', currency: 'GBP' }
    return { page, to: `${page}/do/confirm`, fields }
  }),
  [`POST ${here}/saved-methods/:method/end`]: walk(['saved_method.ended'], async (at) => ({
    page: `${await savedMethod(at)}/end`,
  })),
  [`POST ${here}/payments/:number/do/resend`]: walk(['notifications.resent'], async (at, who) => {
    const page = await paid(at, { callback_url: 'http://127.0.0.1:9/ipn' })
    const to = `${page}/do/resend`
    return { page, to, fields: { id: await idOnPage(who, page, to) } }
  }),
  [`POST ${here}/payments/:number/do/note`]: walk(['payment.note_added'], async (at) => {
    const page = await pending(at)
    return { page, to: `${page}/do/note`, fields: { note: 'Rang.' } }
  }),
  [`POST ${here}/payments/:number/do/take-back-note`]: walk(['payment.note_deleted'], async (at, who) => {
    const page = await pending(at)
    await who.fill(page, { note: 'Rang.' }, `${page}/do/note`)
    const to = `${page}/do/take-back-note`
    return { page, to, fields: { id: await idOnPage(who, page, to) } }
  }),
  ...Object.fromEntries(
    ['accept', 'send-back', 'return', 'returned'].map((name) => [
      `POST ${here}/payments/:number/charge/do/${name}`,
      {
        excused: 'needs a charge that a network made: dashboard-charges.test.ts has one, and finds its entry',
      },
    ]),
  ),
  ...Object.fromEntries(
    ['answer', 'accept'].map((name) => [
      `POST ${here}/disputes/:dispute/${name}`,
      { excused: 'needs a dispute: dashboard-money-back.test.ts has one, and finds its entry' },
    ]),
  ),
  [`POST ${here}/payments/:number/refund`]: {
    excused: 'only asks whether that is meant: sending that has the entry',
  },
  [`POST ${here}/payments/:number/refund/do/confirm`]: walk(['refund.requested'], async (at, who) => {
    const page = `${await paid(at)}/refund`
    const refund_ref = /name="refund_ref" value="([^"]+)"/.exec((await who.get(page)).text)?.[1] ?? ''
    return { page, to: `${page}/do/confirm`, fields: { refund_ref, amount: '1.00' } }
  }),
}

async function link(at: OpenIdHouse, who: Visitor): Promise<string> {
  const fields = { kind: 'reusable', title: 'Fair', currency: 'GBP', amount: '5.00' }
  return (await who.fill(`${home(at)}/links/new`, fields)).to
}

async function project(at: OpenIdHouse, name: string): Promise<string> {
  const { id } = await createProject(at.house.db, at.house.merchantId, { project: name })
  return `${home(at)}/projects/${id}`
}

const ofLinksAndProjects: Readonly<Record<string, Walk | Reason>> = {
  [`POST ${here}/links/new`]: walk(['link.created'], (at) => ({
    page: `${home(at)}/links/new`,
    fields: { kind: 'reusable', title: 'Fair', currency: 'GBP', amount: '5.00' },
  })),
  [`POST ${here}/links/:link/edit`]: walk(['link.changed'], async (at, who) => ({
    page: `${await link(at, who)}/edit`,
    fields: { title: 'Late fair' },
  })),
  [`POST ${here}/links/:link/do/pause`]: walk(['link.paused'], async (at, who) => {
    const page = await link(at, who)
    return { page, to: `${page}/do/pause` }
  }),
  [`POST ${here}/links/:link/do/resume`]: walk(['link.resumed'], async (at, who) => {
    const page = await link(at, who)
    await who.fill(page, {}, `${page}/do/pause`)
    return { page, to: `${page}/do/resume` }
  }),
  [`POST ${here}/projects/new`]: walk(['project.created'], (at) => ({
    page: `${home(at)}/projects/new`,
    fields: { project: 'Spring' },
  })),
  [`POST ${here}/projects/:project/rename`]: walk(['project.renamed'], async (at) => ({
    page: `${await project(at, 'Summer')}/rename`,
    fields: { project: 'Autumn' },
  })),
  [`POST ${here}/projects/:project/delete`]: walk(['project.deleted'], async (at) => ({
    page: `${await project(at, 'Winter')}/delete`,
  })),
}

async function key(at: OpenIdHouse): Promise<string> {
  const { id } = await createKey(at.house.db, at.house.merchantId, {
    kind: 'secret',
    mode: 'test',
    name: 'walked',
  })
  return `${home(at)}/keys/${id}`
}

const ofDevelopers: Readonly<Record<string, Walk | Reason>> = {
  [`POST ${here}/forms`]: { excused: 'writes a form and changes nothing' },
  [`POST ${here}/keys/new`]: walk(['key.created'], (at) => ({
    page: `${home(at)}/keys/new`,
    fields: { kind: 'secret', name: 'Till' },
  })),
  [`POST ${here}/keys/:key/roll`]: walk(['key.rolled'], async (at) => ({
    page: `${await key(at)}/roll`,
    fields: { overlap: '1' },
  })),
  [`POST ${here}/keys/:key/revoke`]: walk(['key.revoked'], async (at) => ({
    page: `${await key(at)}/revoke`,
  })),
  [`POST ${here}/keys/webhook-secret/do/show`]: walk(['webhook_secret.shown'], (at) => ({
    page: `${home(at)}/keys/webhook-secret`,
    to: `${home(at)}/keys/webhook-secret/do/show`,
  })),
  [`POST ${here}/keys/webhook-secret/do/roll`]: walk(['webhook_secret.rolled'], (at) => ({
    page: `${home(at)}/keys/webhook-secret`,
    to: `${home(at)}/keys/webhook-secret/do/roll`,
    fields: { overlap: '24' },
  })),
}

const ofFirstSteps: Readonly<Record<string, Walk | Reason>> = {
  [`POST ${here}/start/do/create`]: walk(['payment.test_created'], (at) => ({
    page: `${home(at)}/start`,
    to: `${home(at)}/start/do/create`,
  })),
  [`POST ${here}/start/do/key`]: walk(['key.created'], (at) => ({
    page: `${home(at)}/start`,
    to: `${home(at)}/start/do/key`,
  })),
  [`POST ${here}/start/do/dismiss`]: { excused: 'hides the page in this browser and changes nothing' },
}

const merchants = '/dashboard/installation/merchants'

async function merchant(who: Visitor, name: string): Promise<string> {
  const seen = await who.fill(`${merchants}/new`, { name, email: 'owner@example.com', currencies: 'GBP' })
  return /\/dashboard\/installation\/merchants\/\d{8}/.exec(seen.text)?.[0] ?? ''
}

const ofOperators: Readonly<Record<string, Walk | Reason>> = {
  [`POST ${merchants}/new`]: walk(['merchant.created', 'team.invited'], () => ({
    page: `${merchants}/new`,
    fields: { name: 'Bakery', email: 'baker@example.com', currencies: 'GBP' },
  })),
  [`POST ${merchants}/:merchant/owner`]: walk(['team.invited'], async (_, who) => {
    const page = await merchant(who, 'Lost shop')
    return { page, to: `${page}/owner`, fields: { email: 'new.owner@example.com' } }
  }),
  [`POST ${merchants}/:merchant/fees`]: walk(['merchant.fee_plan_changed'], async (_, who) => {
    const page = await merchant(who, 'Dear shop')
    return { page, to: `${page}/fees`, fields: { share: '2.9', fixed_GBP: '0.30' } }
  }),
  [`POST ${merchants}/:merchant/live`]: {
    excused: 'a merchant of a test lacks what live payments need: dashboard-installation.test.ts',
  },
  [`POST ${merchants}/:merchant/do/live-off`]: walk(['merchant.changed'], (at) => {
    const page = `${merchants}/${at.house.merchantId}`
    return { page, to: `${page}/do/live-off` }
  }),
  [`POST ${merchants}/:merchant/suspend`]: walk(['merchant.suspended'], async (_, who) => ({
    page: `${await merchant(who, 'Odd shop')}/suspend`,
  })),
  [`POST ${merchants}/:merchant/do/resume`]: walk(['merchant.resumed'], async (_, who) => {
    const page = await merchant(who, 'Good shop')
    await who.fill(`${page}/suspend`, {})
    return { page, to: `${page}/do/resume` }
  }),
}

export const walksOfShops: Readonly<Record<string, Walk | Reason>> = {
  ...ofPayments,
  ...ofLinksAndProjects,
  ...ofDevelopers,
  ...ofFirstSteps,
  ...ofOperators,
}
