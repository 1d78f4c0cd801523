/** What was to be made has an id that was drawn before, and is there: whoever asked, asked twice. */
export class MadeBefore extends Error {
  constructor() {
    super('It was made before')
  }
}
