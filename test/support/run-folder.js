// Where a test run keeps what it throws away at its end. Runs on any Node from 20 on: nothing here may need node_modules.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../bin/lock.js'

const PREFIX = 'florin-tests-'
const GIB = 2 ** 30
// Ten times what a whole run holds at its fullest.
const ROOM = 8 * GIB

/**
 * In memory where there is room for it: a disk that others keep busy let a database answer seconds later, and tests fail
 * that had nothing to do with it. Its `tmp` is the temporary folder of the tests.
 * @param {readonly string[]} [places] where to look for room, the temporary folder last
 * @param {number} [room]
 * @returns {string}
 */
export function makeRunFolder(places = ['/dev/shm', tmpdir()], room = ROOM) {
  for (const place of places) removeLeftovers(place)
  const place = places.find((each) => freemem() >= room && isRoomy(each, room) && runsPrograms(each))
  const folder = mkdtempSync(join(place ?? places.at(-1) ?? tmpdir(), `${PREFIX}${process.pid}-`))
  // PostgreSQL may run as another user, who must get through.
  chmodSync(folder, 0o711)
  mkdirSync(join(folder, 'tmp'))
  chmodSync(join(folder, 'tmp'), 0o1777)
  return folder
}

/** @param {string} place */
function removeLeftovers(place) {
  for (const name of readable(place)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : 0
    if (pid > 0 && !isAlive(pid)) rmSync(join(place, name), { recursive: true, force: true })
  }
}

/** @param {string} place */
function readable(place) {
  try {
    return readdirSync(place)
  } catch {
    return []
  }
}

/**
 * @param {string} place
 * @param {number} room
 */
function isRoomy(place, room) {
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize >= room
  } catch {
    return false
  }
}

/**
 * Containers often forbid it for what is in memory, and tests start programs that they put there.
 * @param {string} place
 */
function runsPrograms(place) {
  try {
    const folder = mkdtempSync(join(place, `${PREFIX}${process.pid}-`))
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    const { status } = spawnSync(program)
    rmSync(folder, { recursive: true, force: true })
    return status === 0
  } catch {
    return false
  }
}
