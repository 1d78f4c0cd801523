import type { Entry } from '../../../cli/terminal/command.ts'

export const refundCommand: Entry = {
  name: 'refund',
  summary: 'create, list and show refunds',
  async load() {
    const { refund, refundHelp } = await import('./refund.ts')
    return { help: refundHelp, run: refund }
  },
}
