/** The database did not answer. `outcomeUnknown` is true when a commit may have happened all the same. */
export class DatabaseUnavailable extends Error {
  readonly outcomeUnknown: boolean

  constructor(outcomeUnknown: boolean, options?: ErrorOptions) {
    super('The database is away or overloaded', options)
    this.name = 'DatabaseUnavailable'
    this.outcomeUnknown = outcomeUnknown
  }
}
