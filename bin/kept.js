// Starts a program that ends with us, however we end. Runs before anything is installed, on any Node from 20 on: nothing
// here may need node_modules.
import { spawn } from 'node:child_process'

/**
 * Descriptor 3 closes when this process is gone, kill -9 included; a shell beside the program then ends it. The program
 * takes the place of the first shell, so its number is the child's own.
 * @param {'TERM' | 'KILL'} signal
 */
const keeper = (signal) => `( (read -r over <&3 || kill -${signal} $$) >/dev/null 2>&1 & ) ; exec "$@" 3<&-`

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio: ('ignore' | 'inherit' | 'pipe')[], signal: 'TERM' | 'KILL' }} options
 * @returns {import('node:child_process').ChildProcess}
 */
export function spawnKept(command, args, { signal, stdio, ...options }) {
  const child = spawn('sh', ['-c', keeper(signal), 'florin-keeper', command, ...args], {
    ...options,
    stdio: [...stdio, 'pipe'],
  })
  const held = /** @type {import('node:net').Socket | undefined} */ (child.stdio[3] ?? undefined)
  held?.on('error', () => {})
  held?.unref()
  // Its number may be another's by the time we end.
  child.on('exit', () => held?.ref().end('over\n', () => held.destroy()))
  return child
}
