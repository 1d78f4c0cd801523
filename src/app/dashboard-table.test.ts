import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Right } from '../dashboard/people/rights.ts'
import type { Route } from '../dashboard/ask.ts'
import { allRoutes } from '../../test/support/dashboard/all-routes.ts'

// Which right a form asks for, said once more: a test that walks the routes by their own rights can't tell a wrong one.

const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const below = (start: string): RegExp => new RegExp(`^/:merchant/:mode/${start}`)

/** The first that fits counts. */
const rightsOfForms: readonly (readonly [RegExp, Right])[] = [
  [/\/bookkeeping\/do\/export$/, 'bookkeeping.export'],
  [/\/bookkeeping\/bank$/, 'bookkeeping.match'],
  [below('payouts/:\\w+/do/deal-with$'), 'bookkeeping.match'],
  [below('audit/do/export$'), 'audit.export'],
  [
    below('(?:payments/all/export|refunds/do/export|payouts/do/check|payouts/:\\w+/do/export)$'),
    'payments.export',
  ],
  [below('payments/:\\w+/(?:refund|charge)'), 'payments.refund'],
  [below('saved-methods/:\\w+/(?:charge|end)'), 'payments.refund'],
  [below('disputes/:\\w+/(?:answer|accept)$'), 'payments.refund'],
  [below('customers/one/do/export$'), 'customers.export'],
  [below('customers/one/erase$'), 'customers.erase'],
  [below('payments/:\\w+/cancel$'), 'payments.cancel'],
  [below('payments/:\\w+/do/(?:take-back-)?note$'), 'payments.note'],
  [/\/(?:do\/)?resend$/, 'notifications.resend'],
  [below('notifications/'), 'receivers.change'],
  [below('(?:keys/|forms$|start/do/key$)'), 'keys.change'],
  [below('(?:links/|start/do/create$)'), 'links.change'],
  [below('projects/'), 'projects.change'],
  [below('settings/'), 'settings.change'],
  [below('team/leave$'), 'team.leave'],
  [below('team/do/summary$'), 'home.view'],
  [below('team/'), 'team.change'],
  // It only sets a cookie of the browser.
  [below('start/do/dismiss$'), 'home.view'],
]

for (const route of allRoutes)
  if (route.access === 'member' && route.method === 'POST')
    test(`${nameOf(route)} requires the right permission`, () => {
      const [, right] = rightsOfForms.find(([path]) => path.test(route.path)) ?? []
      assert.ok(right, 'a form that this table does not know: add a line')
      assert.equal(route.right, right)
    })

test('pages and forms that move money or change keys, roles or settings require a fresh proof', () => {
  const proved: readonly Right[] = [
    'payments.refund',
    'customers.erase',
    'keys.change',
    'team.change',
    'settings.change',
  ]
  // These change nothing that is stored, or only look. Evidence moves no money of ours, and takes longer to write than a
  // proof lasts.
  const unproved =
    /\/(?:forms|settings\/live\/do\/check|settings\/shop\/edit\/do\/preview|disputes\/:dispute\/answer)$/
  const missing = allRoutes.filter(
    (route) =>
      route.access === 'member' &&
      proved.includes(route.right) &&
      !unproved.test(route.path) &&
      !route.isFresh,
  )
  assert.deepEqual(missing.map(nameOf), [])
})

test('changing sign-in methods requires a fresh proof', () => {
  const missing = allRoutes.filter(
    ({ path, isFresh }) =>
      /^\/account\/(?:codes|delete|email|openid|passkeys|password)/.test(path) && !isFresh,
  )
  assert.deepEqual(missing.map(nameOf), [])
})

test('only operators see the installation pages, and their forms require a fresh proof', () => {
  for (const route of allRoutes) {
    const isInstallation = route.path.startsWith('/installation')
    assert.equal(route.access === 'operator', isInstallation, nameOf(route))
    if (isInstallation && route.method === 'POST') assert.equal(route.isFresh, true, nameOf(route))
  }
})
