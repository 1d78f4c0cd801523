/** The id of what was to be created already exists: the same request was sent twice. */
export class MadeBefore extends Error {
  constructor() {
    super('It was made before')
  }
}
