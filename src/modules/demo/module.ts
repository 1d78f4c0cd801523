import type { Module } from '../module.ts'
import { demoCommand } from './commands/entries.ts'

export const demo: Module = { name: 'demo', needs: ['refunds', 'payouts'], commands: [demoCommand] }
