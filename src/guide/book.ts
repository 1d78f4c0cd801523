import type { Html } from '../platform/http/html.ts'
import type { Operation, Webhook } from '../platform/http/openapi/openapi.ts'

// The guide is a few chapters, and each a few sections: what the menu lists, what an address leads to, and what a
// search finds.

export type Section = {
  readonly id: string
  readonly title: string
  readonly body: Html
  /** Things inside that have an address of their own and are found by their own name. */
  readonly parts?: readonly Section[]
}

export type Chapter = ChapterText & {
  /** Below /docs; empty for the first. */
  readonly name: string
}

export type ChapterText = {
  /** In the menu. */
  readonly menu: string
  readonly title: string
  readonly lead: string
  readonly sections: readonly Section[]
}

/** The data of the chapters. */
export type Source = {
  readonly operations: readonly Operation[]
  readonly webhooks: readonly Webhook[]
  readonly baseUrl: string
  /** The path before /docs, when Florin is served below one. */
  readonly prefix: string
}

/** What the guide consists of. */
export type Guide = {
  /** The groups of operations, as tags of /openapi.json: each has a chapter. */
  readonly groups: Readonly<Record<string, string>>
  /** By their names below /docs, in the order of the menu. */
  readonly chapters: Readonly<Record<string, (source: Source) => ChapterText>>
}

export function addressOf(prefix: string, chapter: Pick<Chapter, 'name'>): string {
  return `${prefix}/docs${chapter.name && `/${chapter.name}`}`
}
