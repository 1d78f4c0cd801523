import type { Module } from '../module.ts'
import { distributeCommand } from './commands/entries.ts'

/** `florin merchant move`, too: the catalogue hands it to that command. */
export const cluster: Module = { name: 'cluster', commands: [distributeCommand] }
