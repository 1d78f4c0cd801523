// Reads our own checkout page as a browser without scripts would: where a form goes, and what it sends unseen.

export type PageForm = { readonly action: string; readonly hidden: Record<string, string> }

/** The form whose action ends so; undefined when the page has none. */
export function findForm(page: string, pageUrl: string, actionEnd: string): PageForm | undefined {
  for (const [, opening = '', inside = ''] of page.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/gi)) {
    const action = new URL(attribute(opening, 'action') ?? '', pageUrl)
    if (!action.pathname.endsWith(actionEnd)) continue
    const hidden: Record<string, string> = {}
    for (const [, input = ''] of inside.matchAll(/<input\b([^>]*)>/gi)) {
      const name = attribute(input, 'name')
      if (attribute(input, 'type') === 'hidden' && name !== undefined)
        hidden[name] = attribute(input, 'value') ?? ''
    }
    return { action: action.href, hidden }
  }
  return undefined
}

function attribute(tag: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 'i').exec(tag)
  return match?.[1]?.replace(
    /&(amp|lt|gt|quot|#39|#96);/g,
    (whole, entity: string) => entities[entity] ?? whole,
  )
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' }
