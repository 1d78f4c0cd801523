import { Query, type Fields } from '../../platform/input/fields.ts'

// The query of the list, read rule by rule. What is not given takes its default.

export type ListRequest = {
  readonly search: string | undefined
  readonly sortBy: 'created_at' | 'project'
  readonly sort: 'asc' | 'desc'
  readonly perPage: number
  readonly page: number
}

const searchLengthMax = 255
const pageMax = 999_999_999

export function readListRequest(query: unknown): ListRequest {
  const fields = new Query(query)
  const request = {
    search: fields.text('search', { max: searchLengthMax }),
    searchBy: oneOf(fields, 'search_by', ['project'], 'project'),
    sortBy: oneOf(fields, 'sort_by', ['created_at', 'project'], 'created_at'),
    sort: oneOf(fields, 'sort', ['desc', 'asc'], 'desc'),
    perPage: Number(oneOf(fields, 'per_page', ['10', '25', '50', '100'], '10')),
    page: readPage(fields),
  }
  fields.checkAll()
  return request
}

function oneOf<Allowed extends string>(
  fields: Fields,
  name: string,
  allowed: readonly Allowed[],
  otherwise: Allowed,
): Allowed {
  const value = fields.value(name)
  if (value === undefined) return otherwise
  const found = allowed.find((one) => one === value)
  if (found === undefined) fields.fail(name, `must be one of ${allowed.join(', ')}`)
  return found ?? otherwise
}

function readPage(fields: Fields): number {
  const value = fields.value('page') ?? '1'
  if (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value)) return Number(value)
  fields.fail('page', `must be a whole number from 1 to ${pageMax.toLocaleString('en')}`)
  return 1
}
