import type { Logger } from '../../http/log.ts'
import { isOwnMachine, type Config } from '../../settings/config.ts'
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
  /** What takes a while, or has to wait. */
  readonly progress: (line: string) => void
}

/** What a start says: plain lines in a trial; elsewhere lines of the log like all others, whatever LOG_LEVEL is. */
export function makeAnnounce(config: Config, log: Logger): Announce {
  if (isTrial(config)) return { done: print, progress: printLine }
  const always = log.child({}, { level: 'info' })
  return { done: (line) => always.info(line), progress: (line) => always.warn(line) }
}
