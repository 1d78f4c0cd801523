// Who may do what: the one table. A route of the dashboard names a right of it and is refused to every role without it;
// the page in docs/people.md and the test that walks every route read the same lines.

export const roles = ['owner', 'developer', 'support', 'viewer'] as const
export type Role = (typeof roles)[number]

const everybody = roles

export const rights = {
  'home.view': everybody,
  'payments.view': everybody,
  'payments.cancel': ['owner', 'developer', 'support'],
  'payments.refund': ['owner', 'support'],
  'payments.export': ['owner', 'support'],
  'payments.note': ['owner', 'developer', 'support'],
  'bookkeeping.view': everybody,
  'bookkeeping.export': ['owner', 'support'],
  'bookkeeping.match': ['owner', 'support'],
  'links.view': everybody,
  'links.change': ['owner', 'developer', 'support'],
  'projects.view': everybody,
  'projects.change': ['owner', 'developer'],
  'notifications.view': ['owner', 'developer', 'support'],
  'notifications.resend': ['owner', 'developer', 'support'],
  'receivers.change': ['owner', 'developer'],
  'mailbox.view': ['owner', 'developer', 'support'],
  'keys.view': ['owner', 'developer'],
  'keys.change': ['owner', 'developer'],
  'requests.view': ['owner', 'developer'],
  'settings.view': ['owner', 'developer'],
  'settings.change': ['owner'],
  'team.view': everybody,
  'team.change': ['owner'],
  'team.leave': everybody,
  'audit.view': ['owner', 'developer'],
  'audit.export': ['owner'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Right = keyof typeof rights

export function hasRight(role: Role, right: Right): boolean {
  return (rights[right] as readonly Role[]).includes(role)
}

export function readRole(text: string | undefined): Role | undefined {
  return roles.find((role) => role === text)
}

/** What each is for, in the words of the team page. */
export const roleMeanings: Readonly<Record<Role, string>> = {
  owner: 'Everything, including the team and its roles',
  developer: 'Keys, notifications, payments and the audit log; no refunds',
  support: 'Payments, refunds and notifications; no keys',
  viewer: 'Can view payments and the team, but not change anything',
}
