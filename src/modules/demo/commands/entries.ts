import type { Entry } from '../../../cli/terminal/command.ts'

export const demoCommand: Entry = {
  name: 'demo',
  summary: 'fill a test shop with three months of payments',
  async load() {
    const { demo, demoHelp } = await import('./demo.ts')
    return { help: demoHelp, run: demo }
  },
}
