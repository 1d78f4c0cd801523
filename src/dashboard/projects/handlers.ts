import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import { byPerson } from '../people/people.ts'
import { createProjectByHand } from '../../core/projects/create-project.ts'
import { deleteProject } from '../../core/projects/delete-project.ts'
import { getProject } from '../../core/projects/find-project.ts'
import { listProjects } from '../../core/projects/list-projects.ts'
import { projectItem, type ProjectItem } from '../../core/projects/present.ts'
import { readListRequest } from '../../core/projects/read-list-request.ts'
import { renameProject } from '../../core/projects/rename-project.ts'
import type { Actor } from '../../core/audit/audit.ts'
import type { Content, MemberAsk, Route } from '../ask.ts'
import { forMember, go, orShowMistakes, show } from '../define-route.ts'
import { idField, idIn, orMadeBefore } from '../once.ts'
import type { Mistakes } from '../parts/parts.ts'
import { readParts, type DashboardPart } from '../slots.ts'
import { deletePage, namePage, projectAt, projectPage, projectsOf, projectsPage } from './pages.ts'

const by = ({ own, visitor }: MemberAsk): Actor => byPerson(own.person.id, visitor)

/** By id only: after a rename, a name in the URL could be another project's. */
async function projectOf(ask: MemberAsk): Promise<ProjectItem> {
  const id = ask.params['project'] ?? ''
  if (!id.startsWith('prj_')) throw new Refusal('not_found')
  return projectItem(await getProject(ask.core.db, ask.place.merchant.id, id))
}

async function listPage(ask: MemberAsk, query: unknown, mistakes: Mistakes = {}): Promise<Content> {
  const asked = readListRequest(query)
  const { projects, total } = await listProjects(ask.core.db, ask.place.merchant.id, asked)
  return projectsPage(ask, asked, { projects: projects.map(projectItem), total }, mistakes)
}

/** Shows a taken name as a mistake in the field. */
async function orTaken<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'name_taken'
      ? brokenRule('project', error.message)
      : error
  })
}

function newPage(ask: MemberAsk, typed = '', mistakes: Mistakes = {}): Content {
  const given = { title: 'New project', label: 'Create', back: [projectsOf(ask), 'Projects'] } as const
  return namePage(ask, { ...given, hidden: idField(ask.fields, 'prj') }, typed, mistakes)
}

function renamePage(
  ask: MemberAsk,
  { id, project }: ProjectItem,
  typed: string,
  mistakes: Mistakes = {},
): Content {
  const given = { title: 'Rename project', label: 'Rename', back: [projectAt(ask, id), project] } as const
  return namePage(ask, given, typed, mistakes)
}

const typedName = (ask: MemberAsk): string => ask.fields.get('project') ?? ''

export const projectRoutes = (parts: readonly DashboardPart[]): readonly Route[] => [
  forMember(
    'GET',
    '/projects',
    'projects.view',
    (ask) =>
      orShowMistakes(
        async () => show(await listPage(ask, ask.query)),
        (mistakes) => listPage(ask, {}, mistakes),
      ),
    { nav: { label: 'Projects', order: 34 } },
  ),
  forMember('GET', '/projects/new', 'projects.change', (ask) => show(newPage(ask))),
  forMember('POST', '/projects/new', 'projects.change', (ask) =>
    orShowMistakes(
      () => {
        const given = { id: idIn(ask.fields, 'prj'), body: { project: typedName(ask) } }
        const made = { ...go(projectAt(ask, given.id)), notice: 'project_created' } as const
        return orMadeBefore(async () => {
          await orTaken(createProjectByHand(ask.core.db, ask.place.merchant.id, given, by(ask)))
          return made
        }, made)
      },
      (mistakes) => newPage(ask, typedName(ask), mistakes),
    ),
  ),
  forMember('GET', '/projects/:project', 'projects.view', async (ask) => {
    const project = await projectOf(ask)
    return show(projectPage(ask, project, await readParts(parts, (part) => part.project?.(ask, project.id))))
  }),
  forMember('GET', '/projects/:project/rename', 'projects.change', async (ask) => {
    const project = await projectOf(ask)
    return show(renamePage(ask, project, project.project))
  }),
  forMember('POST', '/projects/:project/rename', 'projects.change', async (ask) => {
    const project = await projectOf(ask)
    return orShowMistakes(
      async () => {
        const { id } = ask.place.merchant
        await orTaken(renameProject(ask.core.db, id, project.id, { project: typedName(ask) }, by(ask)))
        return { ...go(projectAt(ask, project.id)), notice: 'project_renamed' }
      },
      (mistakes) => renamePage(ask, project, typedName(ask), mistakes),
    )
  }),
  forMember('GET', '/projects/:project/delete', 'projects.change', async (ask) =>
    show(deletePage(ask, await projectOf(ask))),
  ),
  forMember('POST', '/projects/:project/delete', 'projects.change', async (ask) => {
    const { id } = await projectOf(ask)
    await deleteProject(ask.core.db, ask.place.merchant.id, id, by(ask))
    return { ...go(projectsOf(ask)), notice: 'project_deleted' }
  }),
]
