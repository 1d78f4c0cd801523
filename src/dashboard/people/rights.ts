// Permissions: the one table. A dashboard route names a permission and is refused to every role without it; the page in
// docs/people.md and the test that walks every route read the same lines.

export const roles = ['owner', 'developer', 'support', 'bookkeeper', 'viewer'] as const
export type Role = (typeof roles)[number]

const everybody = roles

export const rights = {
  'home.view': everybody,
  'payments.view': everybody,
  'payments.cancel': ['owner', 'developer', 'support'],
  'payments.refund': ['owner', 'support'],
  'payments.export': ['owner', 'support', 'bookkeeper'],
  'payments.note': ['owner', 'developer', 'support'],
  'customers.export': ['owner', 'support', 'bookkeeper'],
  'customers.erase': ['owner'],
  'bookkeeping.view': everybody,
  'bookkeeping.export': ['owner', 'support', 'bookkeeper'],
  'bookkeeping.match': ['owner', 'support', 'bookkeeper'],
  'links.view': everybody,
  'links.change': ['owner', 'developer', 'support'],
  'projects.view': everybody,
  'projects.change': ['owner', 'developer'],
  'notifications.view': ['owner', 'developer', 'support', 'bookkeeper'],
  'notifications.resend': ['owner', 'developer', 'support'],
  'receivers.change': ['owner', 'developer'],
  'mailbox.view': ['owner', 'developer', 'support', 'bookkeeper'],
  'keys.view': ['owner', 'developer'],
  'keys.change': ['owner', 'developer'],
  'requests.view': ['owner', 'developer'],
  'settings.view': ['owner', 'developer', 'bookkeeper'],
  'settings.change': ['owner'],
  'team.view': everybody,
  'team.change': ['owner'],
  'team.leave': everybody,
  'audit.view': ['owner', 'developer', 'bookkeeper'],
  'audit.export': ['owner', 'bookkeeper'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Right = keyof typeof rights

export function hasRight(role: Role, right: Right): boolean {
  return (rights[right] as readonly Role[]).includes(role)
}

export function readRole(text: string | undefined): Role | undefined {
  return roles.find((role) => role === text)
}

/** What each role is for, as on the team page. */
export const roleMeanings: Readonly<Record<Role, string>> = {
  owner: 'Everything, including the team and its roles',
  developer: 'Keys, notifications, payments and the audit log; no refunds',
  support: 'Payments, refunds and notifications; no keys',
  bookkeeper: 'Sees and exports everything except keys, and changes nothing',
  viewer: 'Can view payments and the team, but not change anything',
}

/** The rights as people ask about them, for the page where people are invited. */
export const rightsTable: readonly (readonly [what: string, right: Right])[] = [
  ['See payments, refunds, disputes and links', 'payments.view'],
  ['Export payments and books', 'payments.export'],
  ['Refund payments, answer disputes, charge saved methods', 'payments.refund'],
  ['Download all data of a customer', 'customers.export'],
  ['Erase a customer', 'customers.erase'],
  ['Cancel payments, write notes', 'payments.cancel'],
  ['Create and change links', 'links.change'],
  ['Change projects', 'projects.change'],
  ['See notifications and e-mails', 'notifications.view'],
  ['Send notifications again', 'notifications.resend'],
  ['Create, roll and revoke keys', 'keys.change'],
  ['See settings', 'settings.view'],
  ['Change settings', 'settings.change'],
  ['Read the audit log', 'audit.view'],
  ['Export the audit log', 'audit.export'],
  ['Invite and remove people', 'team.change'],
]
