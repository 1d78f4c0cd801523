import { hostname, userInfo } from 'node:os'
import type { Actor } from '../../core/audit/audit.ts'

/** Whoever runs this command, for the audit log: the user of the system, and the machine. */
export function byCommandLine(): Actor {
  return { kind: 'command_line', name: `${userName()}@${hostname()}` }
}

/** A container may run as a user that has no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`
  }
}
