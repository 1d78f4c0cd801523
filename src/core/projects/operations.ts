import type { Answer, JsonSchema, Operation, Parameter } from '../../platform/http/openapi/openapi.ts'
import { failed, failures, withCommonAnswers } from '../../platform/http/openapi/described.ts'
import { nameLengthMax } from './names.ts'

// Group B, described for /openapi.json and the reference page.

const example = {
  id: 'prj_4Zt9c0QmXb71LsKd',
  project: 'Summer sale',
  created_at: '2026-11-15T14:05:00.123456Z',
  updated_at: '2026-11-15T14:05:00.123456Z',
}

const id: JsonSchema = { type: 'string', pattern: '^prj_[0-9A-Za-z]{16}$' }
const time: JsonSchema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$' }
const url: JsonSchema = { type: 'string', format: 'uri' }
const number: JsonSchema = { type: 'integer' }
const nameSchema: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: nameLengthMax,
  description: 'The name. Unique among your projects, ignoring case.',
}

const project = named('Project', { id, project: nameSchema, created_at: time, updated_at: time })
const links = named('PageLinks', { first: url, last: url, prev: orNull(url), next: orNull(url) })
const meta = named('PageMeta', {
  current_page: number,
  from: orNull(number),
  to: orNull(number),
  last_page: number,
  per_page: number,
  total: number,
  path: url,
})

function whole(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties }
}

function named(title: string, properties: Record<string, JsonSchema>): JsonSchema {
  return { title, ...whole(properties) }
}

function orNull(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema['type'], 'null'] }
}

const notFound = failed(404, 'Unknown, deleted, or of another merchant.', 'not_found', 'Project not found')
const nameRule = 'Another of your projects has this name, ignoring case.'
const nameTaken = failed(
  409,
  nameRule,
  'name_taken',
  'A project with this name already exists: choose another name',
)
const which: Parameter = {
  name: 'project',
  in: 'path',
  description: 'The id, or the percent-encoded name, ignoring case.',
  schema: { type: 'string', maxLength: nameLengthMax, example: 'Summer sale' },
}

const nameBody = {
  type: 'application/json',
  schema: {
    title: 'ProjectRequest',
    type: 'object',
    required: ['project'],
    properties: { project: nameSchema },
  },
  example: { project: example.project },
}

function answered(status: number, message: string, description: string, data: object = example): Answer {
  return { status, description, data: project, example: { status: 'success', message, data } }
}

const newName = 'Winter sale'

const contains = 'Only names that contain this text, ignoring case. % and _ are plain characters.'
const listParameters: readonly Parameter[] = [
  inQuery('search', contains, { type: 'string', maxLength: 255 }),
  inQuery('search_by', 'The field to search.', { type: 'string', enum: ['project'], default: 'project' }),
  inQuery('sort_by', 'The field to sort by.', {
    type: 'string',
    enum: ['created_at', 'project'],
    default: 'created_at',
  }),
  inQuery('sort', 'The direction.', { type: 'string', enum: ['desc', 'asc'], default: 'desc' }),
  inQuery('per_page', 'Page size.', { type: 'integer', enum: [10, 25, 50, 100], default: 10 }),
  inQuery('page', 'From 1.', { type: 'integer', minimum: 1, default: 1 }),
]

function inQuery(name: string, description: string, schema: JsonSchema): Parameter {
  return { name, in: 'query', description, schema }
}

function listOperation(seoUrl: string): Omit<Operation, 'group' | 'key' | 'server'> {
  const path = `${seoUrl}/api/v1/projects`
  return {
    id: 'listProjects',
    method: 'get',
    path: '/api/v1/projects',
    summary: 'List projects',
    description: 'Newest first by default. Projects with the same value are ordered by id.',
    parameters: listParameters,
    answers: [
      {
        status: 200,
        description: 'A page of projects.',
        data: { type: 'array', items: project },
        beside: { links, meta },
        example: {
          status: 'success',
          message: 'Projects',
          data: [example],
          links: { first: `${path}?page=1`, last: `${path}?page=1`, prev: null, next: null },
          meta: { current_page: 1, from: 1, to: 1, last_page: 1, per_page: 10, total: 1, path },
        },
      },
      failures.rule,
    ],
  }
}

const oneProject: readonly Omit<Operation, 'group' | 'key' | 'server'>[] = [
  {
    id: 'createProject',
    method: 'post',
    path: '/api/v1/projects',
    summary: 'Create a project',
    description: 'A project has only a name.',
    body: nameBody,
    answers: [answered(201, 'Project created', 'Created.'), failures.rule, nameTaken],
  },
  {
    id: 'findProject',
    method: 'get',
    path: '/api/v1/projects/{project}',
    summary: 'Get a project',
    description: 'By id or name.',
    parameters: [which],
    answers: [answered(200, 'Project details', 'Found.'), failures.rule, notFound],
  },
  {
    id: 'renameProject',
    method: 'patch',
    path: '/api/v1/projects/{project}',
    summary: 'Rename a project',
    description: 'Its payments show the new name.',
    parameters: [which],
    body: { ...nameBody, example: { project: newName } },
    answers: [
      answered(200, 'Project renamed', 'Renamed.', { ...example, project: newName }),
      failures.rule,
      notFound,
      nameTaken,
    ],
  },
  {
    id: 'deleteProject',
    method: 'delete',
    path: '/api/v1/projects/{project}',
    summary: 'Delete a project',
    description: 'Its payments stay and keep its name. You can reuse the name at once.',
    parameters: [which],
    answers: [
      {
        status: 200,
        description: 'Deleted.',
        data: named('DeletedProject', { id, project: nameSchema, deleted: { type: 'boolean', const: true } }),
        example: {
          status: 'success',
          message: 'Project deleted',
          data: { id: example.id, project: example.project, deleted: true },
        },
      },
      failures.rule,
      notFound,
    ],
  },
]

export function projectOperations(seoUrl: string): readonly Operation[] {
  return [listOperation(seoUrl), ...oneProject].map((operation) =>
    withCommonAnswers({ ...operation, group: 'Projects', key: 'api', server: seoUrl }),
  )
}
