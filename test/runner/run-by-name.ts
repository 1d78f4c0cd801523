import { spawn } from 'node:child_process'
import { once } from 'node:events'

// `npm test -- --name PATTERN`. Node leaves tests out by their names only in files that run by themselves, not in those that
// share a process. Node prints what ran.

export async function runByName(files: readonly string[], pattern: string): Promise<boolean> {
  let isOk = true
  for (const file of files) {
    const options = ['--test-reporter=spec', `--test-name-pattern=${pattern}`]
    const [code] = (await once(
      spawn(process.execPath, [...options, file], { stdio: 'inherit' }),
      'exit',
    )) as [number | null]
    isOk &&= code === 0
  }
  return isOk
}
