import assert from 'node:assert/strict'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { call, post, type Answer, type House } from './house.ts'

// Group B as a merchant's program calls it.

export type Item = { id: string; project: string; created_at: string; updated_at: string }

export function listUrl(house: House): string {
  return `${house.url}/api/v1/projects`
}

export function projectUrl(house: House, project: string): string {
  return `${listUrl(house)}/${encodeURIComponent(project)}`
}

/** The API key of a merchant of its own, so that tests do not see one another's projects. */
export async function newMerchant(house: House): Promise<string> {
  const id = await createMerchant(house.db, { name: 'Another shop' })
  return (await createKey(house.db, id, { kind: 'api', name: 'api' })).key
}

export async function create(house: House, key: string, project: string): Promise<Item> {
  const answer = await post(listUrl(house), { project }, key)
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data
}

export async function rename(house: House, key: string, project: string, change: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return call(projectUrl(house, project), { method: 'PATCH', body: JSON.stringify(change), key, headers })
}

export async function remove(house: House, key: string, project: string): Promise<Answer> {
  return call(projectUrl(house, project), { method: 'DELETE', key })
}

export function body(answer: Answer): unknown {
  return JSON.parse(answer.text)
}
