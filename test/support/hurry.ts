import assert from 'node:assert/strict'
import type { House } from './house.ts'
import { patience } from './patience.ts'

/**
 * From now on a request has no time to arrive, until the function that is returned is called. A house that was opened with so
 * little would also cut off its own statements, and all that is under way while the machine stands still.
 */
export function hurry(house: House): () => void {
  const { server } = house.app.server
  const { requestTimeout, headersTimeout } = server
  assert.deepEqual(
    [String(requestTimeout), String(headersTimeout)],
    [patience.REQUEST_TIMEOUT_MS, patience.HEADER_TIMEOUT_MS],
  )
  Object.assign(server, { requestTimeout: 1, headersTimeout: 1 })
  return () => void Object.assign(server, { requestTimeout, headersTimeout })
}
