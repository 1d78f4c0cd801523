import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Hashing a password is slow on purpose, and the tests do it five hundred times: half a minute of processor time. In a worker
// it takes less memory and one pass; a hash still says what it was asked for. Processes that tests start hash as in a shop, and so
// does a file with a process of its own.

const quickMemory = 1_024
let isQuick = false

export function hashQuickly(): void {
  if (isQuick) return
  isQuick = true
  const { argon2 } = crypto
  crypto.argon2 = (algorithm, asked, done) =>
    asked.memory > quickMemory
      ? argon2(algorithm, { ...asked, memory: quickMemory, passes: 1 }, done)
      : argon2(algorithm, asked, done)
  syncBuiltinESMExports()
}
