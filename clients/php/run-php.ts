import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const here = fileURLToPath(new URL('.', import.meta.url))

/** Runs a program in this folder. A line `? question` of its output is answered by a line of JSON. */
export async function runPhp(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  answer: (question: string) => Promise<unknown> = async () => ({}),
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { cwd: here, env: { ...process.env, ...environment } })
  let output = ''
  const note = (text: string): void => void (output += `${text}\n`)
  child.stderr.setEncoding('utf8').on('data', note)
  child.stdin.on('error', () => {}) // it ended without reading
  createInterface({ input: child.stdout }).on('line', (line) => {
    note(line)
    if (!line.startsWith('? ')) return
    answer(line.slice(2)).then(
      (answered) => child.stdin.write(`${JSON.stringify(answered ?? {})}\n`),
      (error: unknown) => {
        note(String(error))
        child.kill()
      },
    )
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { code, output }
}
