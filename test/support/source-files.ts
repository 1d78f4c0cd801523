// What every rule of the house knows about a file: where it stands and what its name promises.

/** `path` from the root of the project, with slashes. */
export type SourceFile = { readonly path: string; readonly text: string }
/** From files to what is wrong with them. */
export type Rule = (files: readonly SourceFile[]) => string[]

/** The files that run in production: no tests. */
export function program(files: readonly SourceFile[]): SourceFile[] {
  return files.filter((file) => /^src\/.*(?<!\.test)\.ts$/.test(file.path))
}

// A room is a folder of these, or else of src itself.
const folders = ['core', 'platform', 'modules', 'networks']

export function roomOf(path: string): string {
  const [, top = '', room = '', inside] = path.split('/')
  return folders.includes(top) && inside !== undefined ? `${top}/${room}` : top
}

export function isStore(path: string): boolean {
  return /(^|[/-])store\.ts$/.test(path)
}

/** A module's stores may read the core's tables and use its stores; they write none of them. */
export function readsTheCore(from: string, to: string): boolean {
  return from.startsWith('src/modules/') && isStore(from) && to.startsWith('src/core/') && isStore(to)
}
