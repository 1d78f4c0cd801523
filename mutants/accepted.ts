// Bugs that no test notices, on purpose. `change` is a part of the line that `npm run mutants` prints.

export const accepted: readonly {
  readonly path: string
  readonly change: string
  readonly reason: string
}[] = []
