import { Stopped } from './stopped.ts'
import { flag, UsageMistake, type Parsed } from './arguments.ts'
import { canAsk, confirm } from './prompt.ts'

/** Continues when the user agrees, now or by --yes. A script that says neither is stopped. */
export async function confirmed(parsed: Parsed, question: string): Promise<void> {
  if (flag(parsed, 'yes')) return
  if (!canAsk()) throw new UsageMistake(`${question} Add --yes to skip this question`)
  if (!(await confirm(question))) throw new Stopped('SIGINT', 'Nothing was done.')
}
