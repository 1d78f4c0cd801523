import { html, type Html } from '../../platform/http/html.ts'
import { readStylesheet } from '../../platform/http/page.ts'
import { hasRight } from '../people/rights.ts'
import type { ProjectItem } from '../../core/projects/present.ts'
import type { ListRequest } from '../../core/projects/read-list-request.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf, emptyList, filters, table } from '../parts/lists.ts'
import { crumb, field, form, head, problems, timeAgo, type Mistakes, shopTime } from '../parts/parts.ts'
import { facts, section } from '../parts/things.ts'

// A shop's projects. They are the same in both modes; totals are for the mode in the URL.

const styles = [readStylesheet(new URL('./projects.css', import.meta.url))]

export type ProjectList = { readonly projects: readonly ProjectItem[]; readonly total: number }

export const projectsOf = ({ place }: MemberAsk): string => `${place.home}/projects`
export const projectAt = (ask: MemberAsk, id: string): string => `${projectsOf(ask)}/${id}`

export function projectsPage(
  ask: MemberAsk,
  asked: ListRequest,
  { projects, total }: ProjectList,
  mistakes: Mistakes = {},
): Content {
  const mayChange = hasRight(ask.place.role, 'projects.change')
  const create = html`<a class="button go" href="${projectsOf(ask)}/new">New project</a>`
  const isEmpty = total === 0 && asked.search === undefined
  return {
    title: 'Projects',
    styles,
    body: html`${head('Projects', {
      lead: 'Group payments by project and see what each has brought in.',
      ...(mayChange && !isEmpty && { action: create }),
    })}
    ${problems(mistakes)}
    ${
      isEmpty
        ? emptyList(
            'No projects yet',
            'A project groups payments, such as a fair, a campaign or a branch. Send its name as "project" in the API.',
            mayChange ? create : undefined,
          )
        : html`${looks(ask, asked)} ${found(ask, projects)} ${pages(ask, asked, total)}`
    }`,
  }
}

function looks(ask: MemberAsk, { search = '', sortBy, sort, perPage }: ListRequest): Html {
  const sizes = ['10', '25', '50', '100'].map((size) => [size, size] as const)
  return filters(
    projectsOf(ask),
    [
      { name: 'search', label: 'Name contains', value: search },
      {
        name: 'sort_by',
        label: 'Sort by',
        value: sortBy,
        choices: [
          ['created_at', 'Created'],
          ['project', 'Name'],
        ],
      },
      {
        name: 'sort',
        label: 'Order',
        value: sort,
        choices: [
          ['desc', sortBy === 'project' ? 'Z to A' : 'Newest first'],
          ['asc', sortBy === 'project' ? 'A to Z' : 'Oldest first'],
        ],
      },
      { name: 'per_page', label: 'Per page', value: String(perPage), choices: sizes },
    ],
    Object.keys(ask.query).length > 0,
  )
}

function found(ask: MemberAsk, projects: readonly ProjectItem[]): Html {
  if (projects.length === 0)
    return emptyList('No matching projects', 'No project name contains this. Try a shorter search.')
  return table<ProjectItem>({
    label: 'Projects',
    rows: projects,
    to: ({ id }) => projectAt(ask, id),
    columns: [
      { label: 'Name', draw: ({ project }) => project },
      { label: 'Id', draw: ({ id }) => html`<code>${id}</code>` },
      { label: 'Created', draw: ({ created_at }) => timeAgo(new Date(created_at), shopTime(ask)) },
    ],
  })
}

function pages(ask: MemberAsk, { page, perPage }: ListRequest, total: number): Html {
  const last = Math.max(1, Math.ceil(total / perPage))
  const to = (number: number): string => addressOf(projectsOf(ask), { ...ask.query, page: String(number) })
  const count = total.toLocaleString('en-GB')
  return html`<nav class="actions pages" aria-label="Further pages">
    <span class="quiet figures"
      >${total === 1 ? '1 project' : `${count} projects`}${last > 1 && `, page ${Math.min(page, last)} of ${last.toLocaleString('en-GB')}`}</span
    >
    ${page > 1 && html`<a class="button plain" rel="prev" href="${to(Math.min(page - 1, last))}">Previous</a>`}
    ${page < last && html`<a class="button plain" rel="next" href="${to(page + 1)}">Next</a>`}
  </nav>`
}

export function projectPage(ask: MemberAsk, project: ProjectItem, added: readonly Html[]): Content {
  const path = projectAt(ask, project.id)
  const mayChange = hasRight(ask.place.role, 'projects.change')
  const now = shopTime(ask)
  return {
    title: project.project,
    styles,
    body: html`${head(project.project, {
      crumb: crumb(projectsOf(ask), 'Projects'),
      ...(mayChange && {
        action: html`<div class="actions">
          <a class="button plain" href="${path}/rename">Rename</a>
          <a class="button danger" href="${path}/delete">Delete</a>
        </div>`,
      }),
    })}
    ${added}
    ${section(
      'Details',
      facts([
        ['Id', html`<code>${project.id}</code>`],
        ['Created', timeAgo(new Date(project.created_at), now)],
        [
          'Renamed',
          project.updated_at === project.created_at ? undefined : timeAgo(new Date(project.updated_at), now),
        ],
      ]),
    )}`,
  }
}

type NameForm = {
  readonly title: string
  readonly label: string
  readonly back: readonly [string, string]
  readonly hidden?: Html
}

/** The form to create or rename a project. */
export function namePage(ask: MemberAsk, given: NameForm, typed: string, mistakes: Mistakes = {}): Content {
  return {
    title: given.title,
    body: html`${head(given.title, { crumb: crumb(...given.back) })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          ask.here,
          html`${given.hidden} ${field({ name: 'project', label: 'Name', value: typed, autocomplete: 'off', isFirst: true, hint: 'Only you and your programs see it. Names are unique.' }, mistakes)}
            <div><button class="go">${given.label}</button></div>`,
        )}
      </div>`,
  }
}

export function deletePage(ask: MemberAsk, { project, id }: ProjectItem): Content {
  return {
    title: 'Delete project',
    body: html`${head('Delete project', { crumb: crumb(projectAt(ask, id), project) })}
      <div class="card form">
        <p>
          <strong>${project}</strong> disappears from lists, and new payments can’t use it. Its existing payments keep its
          name. You can use the name again for a new project. This can’t be undone.
        </p>
        ${form(ask, `${projectAt(ask, id)}/delete`, html`<div class="actions"><button class="danger">Delete ${project}</button><a class="button plain" href="${projectAt(ask, id)}">Keep</a></div>`)}
      </div>`,
  }
}
