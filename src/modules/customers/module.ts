import type { Module } from '../module.ts'
import { customerCommand } from './commands/entries.ts'
import { customerRoutes, customersPart } from './dashboard/handlers.ts'

export const customers: Module = {
  name: 'customers',
  commands: [customerCommand],
  part: customersPart,
  open: () => ({ pages: customerRoutes }),
}
