import type { Logger } from '../../platform/http/log.ts'
import { isOwnMachine, type Config } from '../../platform/settings/config.ts'
import { programVersion } from '../../platform/settings/version.ts'
import { print, printLine } from './print.ts'
import { standard } from './standard.ts'

/**
 * On a machine no one else can reach, programs and people read a start from a pipe or a file. Anywhere else, output that
 * is no terminal is a journal or a container's log, which is kept for months and read by many.
 */
export function isTrial(config: Config): boolean {
  return isOwnMachine(config) || standard().stdout.isTTY === true
}

export type Announce = {
  readonly done: (line: string) => void
  /** For steps that take a while, or have to wait. */
  readonly progress: (line: string) => void
}

/** Prints the lines of a start: plainly in a trial, elsewhere as lines of the log, whatever LOG_LEVEL is. */
export function makeAnnounce(config: Config, log: Logger): Announce {
  if (isTrial(config)) return { done: print, progress: printLine }
  const always = log.child({ version: programVersion() }, { level: 'info' })
  return { done: (line) => always.info(line), progress: (line) => always.warn(line) }
}
