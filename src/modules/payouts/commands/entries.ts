import type { Entry } from '../../../cli/terminal/command.ts'

export const payoutsCommand: Entry = {
  name: 'payouts',
  summary: 'list, show, export, match with the bank',
  async load() {
    const { payouts, payoutsHelp } = await import('./payouts.ts')
    return { help: payoutsHelp, run: payouts }
  },
}

export const reconcileCommand: Entry = {
  name: 'reconcile',
  summary: 'compare network records with ours',
  async load() {
    const { reconcile, reconcileHelp } = await import('./reconcile/reconcile.ts')
    return { help: reconcileHelp, run: reconcile }
  },
}
