import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { call, openHouse, post, type Answer, type House } from '../../../test/support/house.ts'
import { listUrl, projectUrl, remove, rename } from '../../../test/support/project-calls.ts'
import { answerSchema } from '../../platform/http/openapi/openapi.ts'
import { projectOperations } from './operations.ts'

let house: House
const ajv = new Ajv2020({ strict: false, formats: { uri: true } })
const operations = projectOperations('https://projects.example.com')

before(async () => {
  house = await openHouse()
})
after(() => house.close())

function conforms(id: string, status: number, json: unknown): void {
  const described = operations.find((each) => each.id === id)?.answers.find((each) => each.status === status)
  assert.ok(described, `${id} answered ${status}, which is not described`)
  const validate = ajv.compile(answerSchema(described))
  assert.ok(validate(json), `${id} ${status}: ${ajv.errorsText(validate.errors)}`)
}

test('every project operation answers as documented, good and bad', async () => {
  const key = house.apiKey
  const check = (id: string, answer: Answer): void => conforms(id, answer.status, answer.json)
  check('listProjects', await call(listUrl(house), { key }))
  check('createProject', await post(listUrl(house), { project: 'Fair' }, key))
  check('createProject', await post(listUrl(house), { project: 'fair' }, key))
  check('createProject', await post(listUrl(house), {}, key))
  check('listProjects', await call(listUrl(house), { key }))
  check('listProjects', await call(`${listUrl(house)}?page=0`, { key }))
  check('listProjects', await call(listUrl(house)))
  check('findProject', await call(projectUrl(house, 'Fair'), { key }))
  check('findProject', await call(projectUrl(house, 'none'), { key }))
  check('renameProject', await rename(house, key, 'Fair', { project: 'Market' }))
  check('deleteProject', await remove(house, key, 'Market'))
  check('deleteProject', await remove(house, key, 'Market'))
})

test('every example answer has the documented shape', () => {
  for (const { id, answers } of operations) {
    for (const answer of answers) conforms(id, answer.status, answer.example)
  }
})
