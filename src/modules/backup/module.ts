import type { Module } from '../module.ts'
import { backupCommand, restoreCommand } from './commands/entries.ts'
import { warnOfOldBackup } from './warn-of-old-backup.ts'

export const backup: Module = {
  name: 'backup',
  commands: [backupCommand, restoreCommand],
  warner: warnOfOldBackup,
}
