import type { Ask } from '../ask.ts'

// Remembers in a cookie that a person dismissed the first steps. They also end once they are done or the shop has payments.

const shopsMax = 40

export function hasDismissed({ dashboard, request }: Ask, merchantId: number): boolean {
  return dismissedIn(dashboard.cookies.read(request, 'start')).includes(String(merchantId))
}

/** The new value of the cookie. */
export function dismissedWith({ dashboard, request }: Ask, merchantId: number): string {
  const others = dismissedIn(dashboard.cookies.read(request, 'start')).filter(
    (id) => id !== String(merchantId),
  )
  return [...others, merchantId].slice(-shopsMax).join('.')
}

function dismissedIn(cookie = ''): string[] {
  return cookie.split('.').filter((id) => /^\d{8}$/.test(id))
}
