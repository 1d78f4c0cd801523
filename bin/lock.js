// One process at a time, by a folder that holds its owner's name. Runs before anything is installed, on any Node from
// 20 on: nothing here may need node_modules.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const POLL_MS = 250

/**
 * Waits until nobody else who lives has this lock; whoever died with it does not block.
 * @param {string} path
 * @param {() => void} onWait told once, when somebody else has it
 * @returns {Promise<() => void>} gives it back
 */
export async function takeLock(path, onWait = () => {}) {
  const me = nameOf(process.pid)
  const mine = `${path}.${process.pid}`
  rmSync(mine, { recursive: true, force: true })
  mkdirSync(mine)
  writeFileSync(join(mine, me), '')
  try {
    let told = false
    for (;;) {
      // A rename on to a folder with something in it fails, so the lock appears whole, with its owner, or not at all.
      try {
        renameSync(mine, path)
        break
      } catch (error) {
        if (!isTaken(error)) throw error
      }
      if (dropDead(path)) continue
      if (!told) onWait()
      told = true
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } finally {
    rmSync(mine, { recursive: true, force: true })
  }
  return () => release(path, me)
}

/**
 * Takes out the dead owner's name alone: were the folder removed, two who wait could each remove the other's new lock.
 * @param {string} path
 */
function dropDead(path) {
  const owner = ownerOf(path)
  if (owner === undefined || isOwnedByLiving(owner)) return false
  rmSync(join(path, owner), { force: true })
  return true
}

/**
 * @param {string} path
 * @param {string} me
 */
function release(path, me) {
  rmSync(join(path, me), { force: true })
  try {
    rmdirSync(path)
  } catch {
    // The next owner has moved in already.
  }
}

/** @param {string} path */
function ownerOf(path) {
  try {
    return readdirSync(path)[0]
  } catch {
    return undefined
  }
}

/**
 * A number is given out again, soon so in a container that was restarted; a number with its start is not. Empty for
 * one that ended and that nobody has collected.
 * @param {number} pid
 */
function nameOf(pid) {
  try {
    // The second field is a file's name and may hold anything; the third is the state, the 22nd the start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : `${pid}-${fields[19]}`
  } catch {
    return String(pid)
  }
}

/** @param {string} owner */
function isOwnedByLiving(owner) {
  const pid = Number.parseInt(owner, 10)
  if (!(pid > 0) || !isAlive(pid)) return false
  // Where the system does not tell the start, or not to everyone, the number alone has to do.
  const name = nameOf(pid)
  return name === owner || name === String(pid) || (owner === String(pid) && name !== '')
}

/** @param {unknown} error */
function isTaken(error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOTEMPTY' || code === 'EEXIST'
}

/**
 * @param {number} pid
 * @returns {boolean}
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
