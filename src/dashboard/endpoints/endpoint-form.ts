import { html, type Html } from '../../platform/http/html.ts'
import { allEvents, type Endpoint } from '../../core/notifications/endpoints/find-endpoints.ts'
import { namesOf } from '../../core/notifications/events.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { idField } from '../once.ts'
import { codeStyles } from '../parts/code.ts'
import { crumb, field, form, head, noMistakes, problems, type Mistakes } from '../parts/parts.ts'
import { endpointAt } from './endpoint-page.ts'
import { endpointsAt } from './endpoints-page.ts'

/** One checkbox per event: forms refuse repeated fields. */
const boxOf = (event: string): string => `event ${event}`

/** In the shape the API takes. */
export function bodyIn({ fields, dashboard }: MemberAsk): Record<string, unknown> {
  const events = namesOf(dashboard.events).filter((event) => fields.get(boxOf(event)) === 'yes')
  return { url: fields.get('url') ?? '', description: fields.get('description') ?? '', events }
}

type Typed = { readonly url: string; readonly description: string; readonly events: readonly string[] }

export function newEndpointPage(ask: MemberAsk, mistakes: Mistakes = noMistakes): Content {
  return page(ask, 'Add endpoint', {
    at: `${endpointsAt(ask)}/new`,
    back: crumb(endpointsAt(ask), 'Endpoints'),
    typed: bodyIn(ask) as Typed,
    mistakes,
    more: idField(ask.fields, 'ep'),
    button: 'Add endpoint',
  })
}

export function editEndpointPage(
  ask: MemberAsk,
  endpoint: Endpoint,
  typed?: Typed,
  mistakes: Mistakes = noMistakes,
): Content {
  const { url, description, events } = endpoint
  const before = { url: url ?? '', description, events: events.filter((event) => event !== allEvents) }
  return page(ask, 'Edit endpoint', {
    at: `${endpointAt(ask, endpoint.id)}/edit`,
    back: crumb(endpointAt(ask, endpoint.id), 'Endpoint'),
    typed: typed ?? before,
    mistakes,
    more: undefined,
    button: 'Save',
  })
}

type Form = {
  readonly at: string
  readonly back: Html
  readonly typed: Typed
  readonly mistakes: Mistakes
  readonly more: Html | undefined
  readonly button: string
}

function page(ask: MemberAsk, title: string, { at, back, typed, mistakes, more, button }: Form): Content {
  const isLive = ask.place.mode === 'live'
  const url = {
    name: 'url',
    label: 'URL',
    value: typed.url,
    hint: isLive ? 'The https URL of your server.' : 'For example https://shop.example.com/hooks.',
  }
  const description = {
    name: 'description',
    label: 'Description',
    value: typed.description,
    hint: 'A note for your team. You can leave it empty.',
  }
  return {
    title,
    styles: [codeStyles],
    body: html`${head(title, { crumb: back, lead: `It gets notifications of every payment in ${ask.place.mode} mode.` })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          at,
          html`${more} ${field(url, mistakes)} ${field(description, mistakes)} ${boxes(ask, typed.events)}
            <div><button class="go">${button}</button></div>`,
        )}
      </div>`,
  }
}

function boxes(ask: MemberAsk, chosen: readonly string[]): Html {
  return html`<fieldset>
    <legend>Events</legend>
    <p class="hint">Choose none to get all events, including ones added later.</p>
    ${namesOf(ask.dashboard.events).map(
      (event) => html`<label class="switch">
        <input type="checkbox" name="${boxOf(event)}" value="yes" ${chosen.includes(event) && html`checked`} />
        <span>${event}</span>
      </label>`,
    )}
  </fieldset>`
}
