import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { requireText } from '../../platform/input/fields.ts'
import { movedTo, Refusal } from '../../platform/errors/refusals.ts'
import { success } from '../../platform/http/envelope.ts'
import type { RateLimit } from '../../platform/http/rate-limit.ts'
import type { Server } from '../../platform/http/server.ts'
import { byKey } from '../audit/audit.ts'
import type { Authenticator } from '../merchants/authenticate.ts'
import { makeApiGate } from '../merchants/gate.ts'
import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { getProject } from './find-project.ts'
import { listProjects } from './list-projects.ts'
import { listFrame, projectItem } from './present.ts'
import { readListRequest } from './read-list-request.ts'
import { renameProject } from './rename-project.ts'

// Group B, at SEO_URL. Keys of this group have no mode: a project is one, whatever is paid into it.

export type ProjectRoutes = {
  readonly db: Database
  readonly seoUrl: string
  /** Answer on the host of seoUrl and nowhere else. */
  readonly seoHostOnly: boolean
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
}

type OneProject = { Params: { project: string } }

const listPath = '/api/v1/projects'
const onePath = `${listPath}/:project`

export function addProjects(server: Server, deps: ProjectRoutes): void {
  const { db, seoUrl } = deps
  const gate = makeApiGate(deps.authenticator, deps.keyLimit)
  const onRequest = [...(deps.seoHostOnly ? [refuseOtherHosts(seoUrl)] : []), gate.check]
  const merchantOf = (request: FastifyRequest): number => gate.callerOf(request).merchant.id

  server.get(listPath, { onRequest }, async (request) => {
    const merchantId = merchantOf(request)
    const asked = readListRequest(request.query)
    const page = await listProjects(db, merchantId, asked)
    const query = request.url.split('?').slice(1).join('?')
    return {
      ...success('Projects', page.projects.map(projectItem)),
      ...listFrame(seoUrl + listPath, query, asked, page),
    }
  })

  server.post(listPath, { onRequest, config: { isOneCommit: true } }, async (request, reply) => {
    const project = await createProject(db, merchantOf(request), request.body)
    return reply.code(201).send(success('Project created', projectItem(project)))
  })

  server.get<OneProject>(onePath, { onRequest }, async (request) => {
    // The list, asked for with a slash behind it. What names no project must not be deleted or renamed, so only here.
    if (request.params.project === '') throw movedTo(listUrl(seoUrl, request))
    const merchantId = merchantOf(request)
    const project = await getProject(db, merchantId, idOrName(request))
    return success('Project details', projectItem(project))
  })

  server.patch<OneProject>(onePath, { onRequest, config: { isOneCommit: true } }, async (request) => {
    const merchantId = merchantOf(request)
    const project = await renameProject(db, merchantId, idOrName(request), request.body)
    return success('Project renamed', projectItem(project))
  })

  server.delete<OneProject>(onePath, { onRequest, config: { isOneCommit: true } }, async (request) => {
    const { merchant, keyId } = gate.callerOf(request)
    const project = await deleteProject(db, merchant.id, idOrName(request), byKey(keyId, request))
    return success('Project deleted', { id: project.id, project: project.name, deleted: true })
  })
}

function listUrl(seoUrl: string, request: FastifyRequest): string {
  const query = request.url.split('?').slice(1).join('?')
  return `${seoUrl}${listPath}${query === '' ? '' : `?${query}`}`
}

function idOrName(request: FastifyRequest<OneProject>): string {
  return requireText('project', request.params.project)
}

function refuseOtherHosts(seoUrl: string): (request: FastifyRequest) => Promise<void> {
  const { protocol, host } = new URL(seoUrl)
  return async (request) => {
    // Through URL, so that case and the protocol's own port make no difference.
    const asked = `${protocol}//${request.host}`
    if (URL.canParse(asked) && new URL(asked).host === host) return
    throw new Refusal('not_found', 'Nothing exists at this URL: see /docs')
  }
}
