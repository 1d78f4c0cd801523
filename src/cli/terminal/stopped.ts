import { constants } from 'node:os'

/** Ctrl-C was pressed before there was anything to stop: no failure, and nothing to fix. */
export class Stopped extends Error {
  /** As a shell has it: 128 and the number of the signal. */
  readonly exitCode: number

  constructor(signal: NodeJS.Signals, message = 'Stopped. Run it again to continue.') {
    super(message)
    this.exitCode = 128 + constants.signals[signal]
  }
}
