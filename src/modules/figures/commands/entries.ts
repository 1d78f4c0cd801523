import type { Entry } from '../../../cli/terminal/command.ts'

export const totalsCommand: Entry = {
  name: 'totals',
  summary: 'rebuild daily totals',
  async load() {
    const { totals, totalsHelp } = await import('./totals.ts')
    return { help: totalsHelp, run: totals }
  },
}
