// What every rule of the house knows about a file: where it stands and what its name promises.

/** `path` from the root of the project, with slashes. */
export type SourceFile = { readonly path: string; readonly text: string }
/** From files to what is wrong with them. */
export type Rule = (files: readonly SourceFile[]) => string[]

/** Files of the top floors stand in src/ itself. */
const roomsOfFiles: Readonly<Record<string, string>> = {
  'src/env-file.ts': 'config',
  'src/version.ts': 'config',
  'src/config.ts': 'config',
  'src/health.ts': 'app',
  'src/sealed-rooms.ts': 'app',
  'src/personal-rooms.ts': 'app',
  'src/test-rooms.ts': 'app',
  'src/retention.ts': 'app',
  'src/otlp.ts': 'app',
  'src/traces.ts': 'app',
  'src/warnings.ts': 'app',
  'src/worker.ts': 'app',
  'src/infrastructure.ts': 'app',
  'src/limits.ts': 'app',
  'src/wiring.ts': 'app',
  'src/app.ts': 'app',
  'src/networks.ts': 'app',
  'src/florin.ts': 'florin',
}

/** The files that run in production: no tests. */
export function program(files: readonly SourceFile[]): SourceFile[] {
  return files.filter((file) => /^src\/.*(?<!\.test)\.ts$/.test(file.path))
}

export function roomOf(path: string): string {
  return roomsOfFiles[path] ?? path.split('/')[1] ?? ''
}

export function isStore(path: string): boolean {
  return /(^|[/-])store\.ts$/.test(path)
}
