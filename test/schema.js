// `npm run schema`, on the Node that npm brings.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, runtimePath } from '../bin/install.js'

await ensureInstalled({ dev: true })
const program = join(dirname(fileURLToPath(import.meta.url)), 'support', 'write-schema.ts')
process.exitCode = spawnSync(runtimePath(), [program], { stdio: 'inherit' }).status ?? 1
