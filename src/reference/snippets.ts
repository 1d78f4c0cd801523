import { readFileSync } from 'node:fs'

// Code to copy. Each piece is a file of its own in snippets/, which tests run against a real Florin as it stands.

export const languages = {
  curl: 'sh',
  Node: 'js',
  PHP: 'php',
  Python: 'py',
  Ruby: 'rb',
  Go: 'go',
} as const
export type Language = keyof typeof languages

/** The address that stands in the files; on the pages it is the real one. */
export const placeholder = 'https://pay.example.com'

export type Snippet = { readonly language: string; readonly code: string }

export function readSnippet(file: string, baseUrl = placeholder): string {
  return readFileSync(new URL(`./snippets/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .replaceAll(placeholder, baseUrl)
}

export function readSnippets(
  name: string,
  baseUrl: string,
  without: readonly Language[] = [],
): readonly Snippet[] {
  return Object.entries(languages)
    .filter(([language]) => !without.includes(language as Language))
    .map(([language, ending]) => ({ language, code: readSnippet(`${name}.${ending}`, baseUrl) }))
}
