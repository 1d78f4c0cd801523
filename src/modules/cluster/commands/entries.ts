import type { Entry } from '../../../cli/terminal/command.ts'

export const distributeCommand: Entry = {
  name: 'distribute',
  summary: 'spread the database over the nodes of a cluster',
  async load() {
    const { distributeHelp, runDistribute } = await import('./distribute.ts')
    return { help: distributeHelp, run: runDistribute }
  },
}
