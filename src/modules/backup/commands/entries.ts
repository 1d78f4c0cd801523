import type { Entry } from '../../../cli/terminal/command.ts'

export const backupCommand: Entry = {
  name: 'backup',
  summary: 'back up to a file while Florin runs',
  async load() {
    const { backup, backupHelp } = await import('./backup.ts')
    return { help: backupHelp, run: backup }
  },
}

export const restoreCommand: Entry = {
  name: 'restore',
  summary: 'restore a backup into an empty database',
  async load() {
    const { restore, restoreHelp } = await import('./restore.ts')
    return { help: restoreHelp, run: restore }
  },
}
