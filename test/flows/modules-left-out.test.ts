import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandNames } from '../../src/cli/terminal/command.ts'
import { catalogue } from '../../src/app/commands/catalogue.ts'
import { coreTables, refuseLeftOut } from '../../src/app/left-out.ts'
import { allModules } from '../../src/app/modules.ts'
import { readMigrations } from '../../src/platform/database/migrate.ts'
import { tableNamesOf } from '../../src/platform/database/table-names.ts'
import { openHouse, type House } from '../support/house.ts'
import { someRefund } from '../support/shop-day.ts'

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const without = (name: string) => allModules.filter((module) => module.name !== name)

test('a start without a module is refused once its tables hold rows, and says whose', async () => {
  for (const { name } of allModules) await refuseLeftOut(house.db, without(name))
  await someRefund(house)
  await refuseLeftOut(house.db)
  await refuseLeftOut(house.db, without('links'))
  await assert.rejects(refuseLeftOut(house.db, without('refunds')), /rows of: refunds.*src\/app\/modules\.ts/)
})

test('every table belongs to the core or to one module', () => {
  const all = [...coreTables, ...allModules.flatMap(({ tables = [] }) => tables)]
  assert.deepEqual(all.toSorted(), tableNamesOf(readMigrations()).toSorted())
})

test('every command of a module is in the catalogue, and every need is a module', () => {
  const names = commandNames(catalogue)
  for (const { commands = [], needs = [] } of allModules) {
    for (const { name } of commands) assert.ok(names.includes(name), name)
    for (const need of needs)
      assert.ok(
        allModules.some(({ name }) => name === need),
        need,
      )
  }
})
