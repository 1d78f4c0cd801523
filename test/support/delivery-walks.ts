import { sql } from '../../src/platform/database/sql.ts'
import { bySystem, type AuditAction } from '../../src/core/audit/audit.ts'
import { createEndpoint } from '../../src/core/notifications/endpoints/change-endpoints.ts'
import { makeOutbox } from '../../src/core/notifications/outbox.ts'
import { paidPayment } from './refunds.ts'
import type { OpenIdHouse } from './openid-house.ts'
import { newestMail, someDelivery, somePayout } from './shop-day.ts'
import { form, signedIn, type Walk } from './walk.ts'

// The forms about refunds, receivers, notifications and mails, as in audit-walks.ts.

const notifications = (at: OpenIdHouse): string => `/dashboard/${at.house.merchantId}/test/notifications`

/** A form about a receiver that has one failed notification. */
function receiverForm(leaves: readonly AuditAction[], path: string, isPaused = false): Walk {
  return {
    leaves,
    prepare: async (at) => {
      const origin = `https://walk${path.replaceAll('/', '-')}.example`
      await someDelivery(at.house, { origin })
      const { visitor } = await signedIn(at)
      await visitor.get(notifications(at))
      if (isPaused) await visitor.post(`${notifications(at)}/receiver/pause`, { origin })
      return () => visitor.post(`${notifications(at)}/receiver/${path}`, { origin })
    },
  }
}

/** A form about an endpoint of its own. */
function endpointForm(
  leaves: readonly AuditAction[],
  path: string,
  fields: Record<string, string> = {},
): Walk {
  return {
    leaves,
    prepare: async (at) => {
      const { db, secrets, merchantId } = at.house
      const url = `http://127.0.0.1:9/${path.replaceAll('/', '-')}`
      const request = { url, description: '', events: null }
      const keeping = { db, secrets, outbox: makeOutbox() }
      const { id } = await createEndpoint(keeping, { merchantId, mode: 'test' }, request, bySystem)
      const { visitor } = await signedIn(at)
      const page = `${notifications(at)}/endpoints/${id}`
      await visitor.get(page)
      if (path === 'do/resume') await visitor.post(`${page}/do/pause`)
      return () => visitor.post(`${page}/${path}`, fields)
    },
  }
}

const oneEndpoint = 'POST /dashboard/:merchant/:mode/notifications/endpoints/:endpoint'

const endpointWalks: Readonly<Record<string, Walk>> = {
  'POST /dashboard/:merchant/:mode/notifications/endpoints/new': form(
    ['endpoint.created'],
    (at) => `${notifications(at)}/endpoints/new`,
    { url: 'http://127.0.0.1:9/new' },
  ),
  [`${oneEndpoint}/edit`]: endpointForm(['endpoint.changed'], 'edit', {
    url: 'http://127.0.0.1:9/edited',
    'event payment.failed': 'yes',
  }),
  [`${oneEndpoint}/do/pause`]: endpointForm(['receiver.paused'], 'do/pause'),
  [`${oneEndpoint}/do/resume`]: endpointForm(['receiver.resumed'], 'do/resume'),
  [`${oneEndpoint}/do/test`]: endpointForm(['notifications.test_sent'], 'do/test'),
  [`${oneEndpoint}/roll`]: endpointForm(['endpoint.secret_rolled'], 'roll', { overlap: '24' }),
  [`${oneEndpoint}/delete`]: endpointForm(['endpoint.deleted'], 'delete'),
}

export const deliveryWalks: Readonly<Record<string, Walk>> = {
  'POST /dashboard/:merchant/:mode/refunds/do/export': form(
    ['refunds.exported'],
    notifications,
    {},
    (at) => `/dashboard/${at.house.merchantId}/test/refunds/do/export`,
  ),
  'POST /dashboard/:merchant/:mode/payouts/:payout/do/deal-with': {
    leaves: ['payout.dealt_with'],
    prepare: async (at) => {
      await paidPayment(at.house, 'good')
      const { visitor } = await signedIn(at)
      const id = await somePayout(at.house)
      await at.house.db.query(sql`
        update payouts set state = 'failed' where merchant_id = ${at.house.merchantId} and id = ${id}`)
      const path = `/dashboard/${at.house.merchantId}/test/payouts/${id}`
      await visitor.get(path)
      return () => visitor.post(`${path}/do/deal-with`)
    },
  },
  'POST /dashboard/:merchant/:mode/payouts/:payout/do/export': {
    leaves: ['payout.exported'],
    prepare: async (at) => {
      await paidPayment(at.house, 'good')
      const { visitor } = await signedIn(at)
      const path = `/dashboard/${at.house.merchantId}/test/payouts/${await somePayout(at.house)}`
      await visitor.get(path)
      return () => visitor.post(`${path}/do/export`)
    },
  },
  'POST /dashboard/:merchant/:mode/notifications/receiver/pause': receiverForm(['receiver.paused'], 'pause'),
  'POST /dashboard/:merchant/:mode/notifications/receiver/do/resume': receiverForm(
    ['receiver.resumed'],
    'do/resume',
    true,
  ),
  'POST /dashboard/:merchant/:mode/notifications/receiver/resend': receiverForm(
    ['notifications.resent'],
    'resend',
  ),
  'POST /dashboard/:merchant/:mode/notifications/test': form(
    ['notifications.test_sent'],
    (at) => `${notifications(at)}/test`,
    { callback_url: 'http://127.0.0.1:9/', event: 'payment.success' },
  ),
  ...endpointWalks,
  'POST /dashboard/:merchant/:mode/notifications/sent/:delivery/do/resend': {
    leaves: ['notifications.resent'],
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      const path = `${notifications(at)}/sent/${await someDelivery(at.house)}`
      await visitor.get(path)
      return () => visitor.post(`${path}/do/resend`)
    },
  },
  'POST /dashboard/:merchant/:mode/mailbox/:mail/do/resend': {
    leaves: ['notifications.resent'],
    prepare: async (at) => {
      const { visitor } = await signedIn(at)
      const body = JSON.stringify({ template: 'card_testing', declines: 40 })
      await someDelivery(at.house, { kind: 'mail', mode: 'live', target: 'merchant', body })
      const path = `/dashboard/${at.house.merchantId}/live/mailbox/${await newestMail(at.house, 'live')}`
      await visitor.get(path)
      return () => visitor.post(`${path}/do/resend`)
    },
  },
}
