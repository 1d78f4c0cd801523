// What every rule of the house knows about a file: where it stands and what its name promises.

/** `path` from the root of the project, with slashes. */
export type SourceFile = { readonly path: string; readonly text: string }
/** From files to what is wrong with them. */
export type Rule = (files: readonly SourceFile[]) => string[]

/** The files that run in production: no tests. */
export function program(files: readonly SourceFile[]): SourceFile[] {
  return files.filter((file) => /^src\/.*(?<!\.test)\.ts$/.test(file.path))
}

export function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

export function isStore(path: string): boolean {
  return /(^|[/-])store\.ts$/.test(path)
}
