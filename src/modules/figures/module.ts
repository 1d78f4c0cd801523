import type { Module } from '../module.ts'
import { totalsCommand } from './commands/entries.ts'
import { figuresPart } from './dashboard/period-part.ts'

export const figures: Module = {
  name: 'figures',
  needs: ['payouts'],
  commands: [totalsCommand],
  part: figuresPart,
}
