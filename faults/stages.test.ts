import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { faults } from './list.ts'
import { leftToStrikes, playedAlone, stages } from './stages.ts'

const here = fileURLToPath(new URL('.//', import.meta.url))

test('npm run test:long plays every fault once, but those that are struck without a process', () => {
  const inProcesses = [...Object.values(stages).flat(), ...playedAlone].map(({ name }) => name)
  const played = [...inProcesses, ...leftToStrikes]
  assert.deepEqual(played.toSorted(), faults.map(({ name }) => name).toSorted())
  const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.long.test.ts'))
    .map((file) => readFileSync(join(here, file), 'utf8'))
  for (const words of [...Object.keys(stages), 'playedAlone']) {
    const naming = files.filter((text) => text.includes(words))
    assert.equal(naming.length, 1, `${naming.length} long tests play "${words}"`)
  }
})
