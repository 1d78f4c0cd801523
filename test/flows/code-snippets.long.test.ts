import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { openHouse, type House } from '../support/house.ts'
import { trySnippets } from '../support/try-snippets.ts'

let house: House
const folder = mkdtempSync(join(tmpdir(), 'florin-go-'))
before(async () => {
  house = await openHouse()
})
after(async () => {
  await house.close()
  rmSync(folder, { recursive: true })
})

trySnippets('Go', () => ({ house, folder }))
