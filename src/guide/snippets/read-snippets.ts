import { readFileSync } from 'node:fs'

// Code to copy. Each sample is a file in code/, which tests run unchanged against a real Florin.

export const languages = {
  curl: 'sh',
  Node: 'js',
  PHP: 'php',
  Python: 'py',
  Ruby: 'rb',
  Go: 'go',
  'JS client': 'client.js',
  'PHP client': 'client.php',
} as const
export type Language = keyof typeof languages

/** Our own packages, florin-client and florin/florin-php. */
export const clientLanguages = ['JS client', 'PHP client'] as const satisfies readonly Language[]

/** The URL in the files; pages show the real one. */
export const placeholder = 'https://pay.example.com'

export type Snippet = { readonly language: string; readonly code: string }

export function readSnippet(file: string, baseUrl = placeholder): string {
  const folder = file.includes('.client.') ? 'code/clients' : 'code'
  return readFileSync(new URL(`./${folder}/${file}`, import.meta.url), 'utf8')
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

/** Where each language has the key from, and how it says it itself. The key is letters, digits and underscores. */
const keysIn: Readonly<Record<string, readonly (readonly [string, (key: string) => string])[]>> = {
  curl: [['$FLORIN_KEY', (key) => key]],
  Node: [['`Bearer ${process.env.FLORIN_KEY}`', (key) => `'Bearer ${key}'`]],
  PHP: [["Bearer ' . getenv('FLORIN_KEY')", (key) => `Bearer ${key}'`]],
  Python: [
    ['"Bearer " + os.environ["FLORIN_KEY"]', (key) => `"Bearer ${key}"`],
    ['import os\n', () => ''],
  ],
  Ruby: [['#{ENV.fetch("FLORIN_KEY")}', (key) => key]],
  // An unused import is a mistake there.
  Go: [
    ['"Bearer "+os.Getenv("FLORIN_KEY")', (key) => `"Bearer ${key}"`],
    ['\t"os"\n', () => ''],
  ],
  'JS client': [['process.env.FLORIN_KEY', (key) => `'${key}'`]],
  'PHP client': [["getenv('FLORIN_KEY')", (key) => `'${key}'`]],
}

/** Runs as it is pasted: with a key of test mode, which opens nothing of worth. */
export function withKey(snippets: readonly Snippet[], key: string): readonly Snippet[] {
  return snippets.map(({ language, code }) => ({
    language,
    code: (keysIn[language] ?? []).reduce((text, [from, to]) => text.replaceAll(from, () => to(key)), code),
  }))
}
