import { posix } from 'node:path'
import { isStore, program, readsTheCore, roomOf, type Rule, type SourceFile } from './source-files.ts'
import { readSource } from './source-text.ts'

// The rules of the house (ARCHITECTURE.md), each a function from files to what is wrong with them. test/tidy.test.ts
// holds the tree to them, and proves each with a sample that breaks it.

// From the ground up. A file may import from a strictly lower floor, or from its own room. `modules` is the type of a module.
const floors = [
  ['platform/money', 'platform/errors'],
  ['platform/input'],
  ['platform/database', 'platform/postgres', 'platform/http', 'platform/outbound', 'platform/pdf'],
  ['platform/jobs', 'platform/secrets'],
  ['platform/settings'],
  ['core/audit'],
  ['core/merchants'],
  ['core/privacy'],
  ['core/networks'],
  ['core/projects', 'core/test-network', 'core/notifications'],
  ['core/payments'],
  ['core/callbacks', 'core/checkout'],
  ['core'],
  ['cli'],
  ['guide'],
  ['dashboard'],
  ['modules'],
  ['networks/*', 'modules/*'],
  ['app'],
  ['florin.ts'],
]

const fileLinesMax = 300
const functionLinesMax = 70
const folderFilesMax = 20

/** Modules and networks share a floor: a module imports another only if it says so. */
export const importsGoDown: Rule = (files) => {
  const needs = needsOf(files)
  return program(files).flatMap((file) => {
    const room = roomOf(file.path)
    const floor = floorOf(room)
    if (floor === -1)
      return [`${file.path}: ${room} stands on no floor; give it one in test/support/house-rules.ts`]
    return importsOf(file).flatMap((target) => {
      if (!target.startsWith('src/'))
        return [`${file.path}: imports ${target}, which is not part of the program`]
      const other = roomOf(target)
      if (other === room || floorOf(other) < floor || needs.get(room)?.has(other) === true) return []
      return [`${file.path}: imports ${target}, which is not on a lower floor`]
    })
  })
}

/** By module, the modules that its module.ts names as `needs`. */
function needsOf(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    files
      .filter(({ path }) => /^src\/modules\/[\w-]+\/module\.ts$/.test(path))
      .map(({ path, text }) => {
        const [, names = ''] = /\bneeds: \[([^\]]*)\]/.exec(text) ?? []
        return [
          roomOf(path),
          new Set([...names.matchAll(/'([\w-]+)'/g)].map(([, name]) => `modules/${name}`)),
        ]
      }),
  )
}

export const privateFilesStayPrivate: Rule = (files) =>
  program(files).flatMap((file) =>
    importsOf(file)
      .filter((target) => {
        const home = privateTo(target)
        if (readsTheCore(file.path, target)) return false
        if (home === undefined || file.path.startsWith(`${home}/`)) return false
        return !(file.path === 'src/app/app.ts' && /(^|[/-])routes\.ts$/.test(target))
      })
      .map((target) => `${file.path}: imports ${target}, which is private to ${privateTo(target)}/`),
  )

/** Types count: who needs another's type can't be read without it. */
export const noCircles: Rule = (files) => {
  const imports = new Map(program(files).map((file) => [file.path, importsOf(file)]))
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path)
    if (at !== -1) found.push(`${path}: imports itself by ${[...trail.slice(at + 1), path].join(' → ')}`)
    if (at !== -1 || done.has(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}

export const foldersAreSmall: Rule = (files) => {
  const counts = new Map<string, number>()
  for (const { path } of files.filter((file) => /^src\/.*(?<!\.test\.ts)$/.test(file.path))) {
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > folderFilesMax && !folder.endsWith('/migrations'))
    .map(([folder, count]) => `${folder}/: ${count} files, at most ${folderFilesMax}`)
}

export const onlyConfigReadsTheEnvironment: Rule = (files) =>
  program(files)
    .filter((file) => file.path !== 'src/platform/settings/config.ts')
    .filter((file) => {
      const { code, withoutComments } = readSource(file.text)
      return (
        /\bprocess\s*(\.\s*env\b|\[)/.test(code) || /\benv\b[^\n]*from 'node:process'/.test(withoutComments)
      )
    })
    .map((file) => `${file.path}: reads the environment; only src/platform/settings/config.ts does`)

export const filesAreShort: Rule = (files) =>
  scripts(files)
    .map((file) => ({ path: file.path, lines: file.text.trimEnd().split('\n').length }))
    .filter((file) => file.lines > fileLinesMax)
    .map((file) => `${file.path}: ${file.lines} lines, at most ${fileLinesMax}`)

export const functionsAreShort: Rule = (files) =>
  scripts(files).flatMap((file) =>
    functionsIn(file.text)
      .filter((found) => found.lines > functionLinesMax)
      .map(
        (found) =>
          `${file.path}:${found.at}: a function of ${found.lines} lines, at most ${functionLinesMax}`,
      ),
  )

export const noBarrels: Rule = (files) =>
  scripts(files)
    .filter((file) => {
      const { withoutComments } = readSource(file.text)
      if (/^export (type )?\*/m.test(withoutComments)) return true
      const rest = withoutComments.replace(/^(export|import)\b[^;]*?\bfrom '[^']*';?$/gm, '').trim()
      return rest === '' && /^export\b/m.test(withoutComments)
    })
    .map((file) => `${file.path}: hands on what others export; import it where it is written`)

export const namesSayWhatIsInside: Rule = (files) =>
  files
    .filter((file) =>
      /(^|\/)((utils?|common|helpers?|misc|shared)(\/|\.[jt]s$)|(types|service|services|index)\.[jt]s$)/.test(
        file.path,
      ),
    )
    .map((file) => `${file.path}: a name that could hold anything`)

export const noForbiddenWords: Rule = (files) =>
  scripts(files).flatMap((file) => {
    const { code } = readSource(file.text)
    const found = [
      // Node asks for a default export where it takes a test reporter.
      [file.path.startsWith('src/') && /^\s*export default\b|\bas default\b/m.test(code), 'a default export'],
      [/^\s*(export )?(declare )?(const )?enum \w/m.test(code), 'an enum'],
      [/^\s*(export )?(declare )?namespace \w/m.test(code), 'a namespace'],
    ] as const
    return found.filter(([isBroken]) => isBroken).map(([, what]) => `${file.path}: ${what}`)
  })

export const testsStandBesideTheirFile: Rule = (files) => {
  const paths = new Set(files.map((file) => file.path))
  return files
    .filter(
      (file) => /^(src|test)\/.*\.[jt]s$/.test(file.path) && !/^test\/(support|runner)\//.test(file.path),
    )
    .flatMap((file) => {
      if (/^src\/(modules|networks)\/\w[\w-]*\/flows\//.test(file.path)) return []
      const isTest = file.path.endsWith('.test.ts')
      const runsTests = /^import .*'node:test'$/m.test(readSource(file.text).withoutComments)
      if (runsTests && !isTest) return [`${file.path}: holds tests, so its name must end with .test.ts`]
      if (!isTest || !file.path.startsWith('src/')) return []
      const tested = `${posix.dirname(file.path)}/${posix.basename(file.path).split('.')[0]}.ts`
      return paths.has(tested) ? [] : [`${file.path}: there is no ${tested} for it to test`]
    })
}

export const everyTestRuns: Rule = (files) =>
  files
    .filter((file) => file.path.endsWith('.test.ts'))
    .filter((file) =>
      /\b(test|it|describe|suite|t)\.(only|skip|todo)\b|\b(only|skip|todo): (true|['"`])/.test(
        readSource(file.text).code,
      ),
    )
    .map((file) => `${file.path}: leaves tests out (only, skip or todo)`)

export const noPathOfOneMachine: Rule = (files) =>
  files.flatMap((file) => {
    const found = /(?<![\w./:>-])(\/(home|Users|root|work)\/\w[\w./-]*|[A-Z]:\\\w+)/.exec(file.text)
    return found ? [`${file.path}: ${found[1]} is a path of one machine`] : []
  })

function scripts(files: readonly SourceFile[]): SourceFile[] {
  return files.filter((file) => /\.[jt]s$/.test(file.path) || file.text.startsWith('#!/usr/bin/env node'))
}

function floorOf(room: string): number {
  const [top = ''] = room.split('/')
  const own = floors.findIndex((rooms) => rooms.includes(room))
  return own === -1 ? floors.findIndex((rooms) => rooms.includes(`${top}/*`)) : own
}

/** Relative imports of every form, as paths from the root. */
function importsOf(file: SourceFile): string[] {
  const { code, withoutComments } = readSource(file.text)
  return [...withoutComments.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']*)'/g)]
    .filter((match) => code.slice(match.index).startsWith(match[0].slice(0, 4)))
    .map((match) => posix.join(posix.dirname(file.path), match[1] ?? ''))
}

function privateTo(path: string): string | undefined {
  const pages = /^(.*)\/pages\//.exec(path)?.[1]
  if (pages !== undefined) return pages
  if (!isStore(path) && !/(^|[/-])routes\.ts$/.test(path)) return undefined
  // Folders inside a room share its stores.
  return `src/${roomOf(path)}`
}

/**
 * Blocks that are bodies of functions, by their indentation: the format check sees to it that a block ends with a
 * brace below the first letter of its first line.
 */
function functionsIn(text: string): { at: number; lines: number }[] {
  const lines = readSource(text).code.split('\n')
  const indent = (line: string): number => line.length - line.trimStart().length
  return lines.flatMap((line, index) => {
    if (!/(=>|\)(: .+)?) \{\s*$/.test(line)) return []
    const depth = indent(line)
    let start = index
    while (start > 0 && (indent(lines[start] ?? '') > depth || /^\s*(\)|$)/.test(lines[start] ?? '')))
      start -= 1
    if (/^\s*(\}\s*)?(if|else|for|while|switch|catch|with)\b/.test(lines[start] ?? '')) return []
    const length = lines
      .slice(index + 1)
      .findIndex((later) => later.trim().startsWith('}') && indent(later) === depth)
    return length === -1 ? [] : [{ at: start + 1, lines: index + 1 + length + 1 - start }]
  })
}
