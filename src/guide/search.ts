import type { Chapter, Section } from './book.ts'

// Searches the sections of the guide: every word must appear in the section, and a word in its title counts more.

export type Hit = { readonly chapter: Chapter; readonly section: Section; readonly excerpt: string }

type Entry = {
  readonly chapter: Chapter
  readonly section: Section
  readonly title: string
  readonly text: string
  readonly folded: string
}

const hitsMax = 12
const wordsMax = 8
const around = 70

export function makeSearch(chapters: readonly Chapter[]): (words: string) => Hit[] {
  const entries: Entry[] = chapters.flatMap((chapter) =>
    chapter.sections.flatMap(withParts).map((section) => {
      const text = textOf(section.body.text)
      const title = `${section.title} ${section.id} ${chapter.menu}`.toLowerCase()
      return { chapter, section, title, text, folded: text.toLowerCase() }
    }),
  )
  return (asked) => {
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean).slice(0, wordsMax)
    if (words.length === 0) return []
    return entries
      .map((entry) => ({ entry, score: scoreOf(entry, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, hitsMax)
      .map(({ entry }) => ({
        chapter: entry.chapter,
        section: entry.section,
        excerpt: excerptOf(entry, words[0] ?? ''),
      }))
  }
}

function withParts(section: Section): readonly Section[] {
  return [section, ...(section.parts ?? [])]
}

function scoreOf(entry: Entry, words: readonly string[]): number {
  const scores = words.map((word) =>
    entry.section.id === word
      ? 40
      : entry.title.includes(word)
        ? 20
        : Math.min(entry.folded.split(word).length - 1, 10),
  )
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

function excerptOf({ text, folded }: Entry, word: string): string {
  const at = Math.max(folded.indexOf(word), 0)
  const start = at <= around ? 0 : text.indexOf(' ', at - around) + 1
  const end = text.lastIndexOf(' ', start + 2 * around)
  const isWhole = text.length <= start + 2 * around
  return `${start > 0 ? '… ' : ''}${isWhole ? text.slice(start) : `${text.slice(start, end)} …`}`
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Its plain text. Characters beyond ASCII are numeric entities in our pages. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}
