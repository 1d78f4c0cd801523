import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The postmaster and its backends: left alone, a backend would answer for a moment after the postmaster's death. */
export function familyOf(postmaster: number): number[] {
  const processes = existsSync('/proc/self/stat') ? fromProc() : fromPs()
  return [postmaster, ...processes.filter(([, parent]) => parent === postmaster).map(([pid]) => pid)]
}

/** Every process with its parent. Slim images have no `ps`. */
function fromProc(): [pid: number, parent: number][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)])
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return 0 // it has ended meanwhile
  }
}

function fromPs(): [pid: number, parent: number][] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
}
