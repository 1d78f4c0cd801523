import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { projectTotals } from '../../src/modules/figures/project-totals.ts'
import { createProject } from '../../src/core/projects/create-project.ts'
import { plainText } from '../support/fields-in.ts'
import { openHouse, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { actionsOf, newPerson, Visitor } from '../support/visitor.ts'

// Projects in the dashboard: found, made, renamed, deleted and added up.

let house: House
let owner: Visitor
let viewer: Visitor

before(async () => {
  house = await openHouse()
  owner = new Visitor(house)
  viewer = new Visitor(house)
  await owner.signIn(await newPerson(house, { role: 'owner' }))
  await viewer.signIn(await newPerson(house, { role: 'viewer' }))
})
after(() => house.close())

const place = (mode = 'test'): string => `/dashboard/${house.merchantId}/${mode}/projects`

/** As a person reads the list: the names, from the top. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/<a class="row"[^>]*>\s*([^<]*?)\s*<\/a>/g)].map((match) => match[1] ?? '')
}

async function idOf(name: string): Promise<string> {
  const rows = await house.db.query<{ id: string }>(
    sql`select id from projects where merchant_id = ${house.merchantId} and name = ${name}`,
  )
  return rows[0]?.id ?? ''
}

test('an empty list explains projects, and offers to create one to permitted roles', async () => {
  const { text } = await owner.get(place())
  assert.match(text, /No projects yet/)
  assert.match(text, /\/projects\/new"/)
  assert.doesNotMatch((await viewer.get(place())).text, /\/projects\/new"/)
})

test('a project is created, renamed and deleted by forms, each with a notice and an audit entry', async () => {
  const made = await owner.fill(`${place()}/new`, { project: '  Summer fair ' })
  assert.equal(made.status, 303)
  const page = await owner.get(made.to)
  assert.match(page.text, /<h1>Summer fair<\/h1>/)
  assert.match(page.text, /Project created/)
  assert.match(page.text, /Nothing has been paid for this project yet/)

  const renamed = await owner.fill(`${made.to}/rename`, { project: 'Winter fair' })
  assert.deepEqual([renamed.status, renamed.to], [303, made.to])
  assert.match((await owner.get(made.to)).text, /<h1>Winter fair<\/h1>/)

  const asked = await owner.get(`${made.to}/delete`)
  assert.match(asked.text, /This can&#8217;t be undone/)
  const deleted = await owner.post(`${made.to}/delete`)
  assert.deepEqual([deleted.status, deleted.to], [303, place()])
  assert.equal((await owner.get(made.to)).status, 404)
  const project = (await actionsOf(house)).filter((action) => action.startsWith('project.'))
  assert.deepEqual(project, ['project.created', 'project.renamed', 'project.deleted'])
})

test('a taken or invalid name is reported beside the field, and stays in it', async () => {
  await owner.fill(`${place()}/new`, { project: 'Market' })
  const taken = await owner.fill(`${place()}/new`, { project: 'mARKET' })
  assert.equal(taken.status, 400)
  assert.match(
    taken.text,
    /<p class="error" id="project-error">A project with this name already exists: choose another name/,
  )
  assert.match(taken.text, /value="mARKET"/)
  const odd = await owner.fill(`${place()}/${await idOf('Market')}/rename`, {
    project: 'prj_0123456789ABCDEF',
  })
  assert.equal(odd.status, 400)
  assert.match(odd.text, /must not look like a project id/)
})

test('the list is searched, sorted and paged as in the API, by its URL', async () => {
  for (let number = 1; number <= 12; number += 1)
    await createProject(house.db, house.merchantId, { project: `Stall ${String(number).padStart(2, '0')}` })
  const first = await owner.get(`${place()}?search=stALL&sort_by=project&sort=asc`)
  assert.deepEqual(
    namesIn(first.text),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `Stall ${String(n).padStart(2, '0')}`),
  )
  assert.match(first.text, /12 projects, page 1 of 2/)
  const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await owner.get(next)
  assert.deepEqual(namesIn(second.text), ['Stall 11', 'Stall 12'])
  assert.match(second.text, /rel="prev"/)
  assert.deepEqual(namesIn((await owner.get(`${place()}?per_page=25`)).text).length, 13)
  assert.match((await owner.get(`${place()}?search=100%25`)).text, /No matching projects/)
  const odd = await owner.get(`${place()}?sort=sideways&page=0`)
  assert.equal(odd.status, 400)
  assert.match(odd.text, /sort must be one of desc, asc/)
  assert.equal(namesIn(odd.text).length, 10, 'the list is shown all the same')
})

test('a project’s page sums what was paid in its mode, by currency', async () => {
  await createProject(house.db, house.merchantId, { project: 'Concert' })
  const pay = async (amount: string, key?: string) => {
    const payment = await createPayment(house, { project: 'Concert', amount, currency: 'GBP' }, key)
    await happens(house, payment, 'paid')
    return payment
  }
  await pay('10.00')
  await happens(house, await pay('2.50'), 'refunded_in_full')
  await pay('700.00', house.liveKey)
  await createPayment(house, { project: 'Concert', amount: '99.00', currency: 'GBP' })
  const id = await idOf('Concert')
  const figures = (text: string): string[] =>
    [...text.matchAll(/class="figures">([^<]*)</g)].map((match) => plainText(match[1] ?? ''))
  assert.deepEqual(figures((await viewer.get(`${place()}/${id}`)).text), ['£12.50', '−£2.50', '£0.00'])
  assert.deepEqual(figures((await viewer.get(`${place('live')}/${id}`)).text), ['£700.00', '£0.00', '£0.00'])
})

test('a project with too many payments to sum says so', async () => {
  const { id } = await createProject(house.db, house.merchantId, { project: 'Lottery' })
  await house.db.query(sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, state, currency, amount_minor, charge_minor,
      email, first_name, last_name, project_id)
    select ${house.merchantId}, lpad(n::text, 24, '0'), 'test', 'lottery-' || n, 'FL' || n, 'API', 'success', 'GBP', 100, 0,
      'a@example.com', 'A', '', ${id}
    from generate_series(1, 5001) as n`)
  const totals = await projectTotals(house.db, {
    merchantId: house.merchantId,
    mode: 'test',
    projectId: id,
  })
  assert.equal(totals.isWhole, false)
  assert.equal(totals.currencies[0]?.paid, 5_000)
  assert.match((await viewer.get(`${place()}/${id}`)).text, /Totals cover the latest 5,000 payments/)
})

test('another merchant’s project is not found, and a name is no URL', async () => {
  const elsewhere = await createMerchant(house.db, { name: 'Elsewhere' })
  const { id } = await createProject(house.db, elsewhere, { project: 'Theirs' })
  for (const path of ['', '/rename', '/delete'])
    assert.equal((await owner.get(`${place()}/${id}${path}`)).status, 404, path)
  assert.equal((await owner.get(`${place()}/Market`)).status, 404)
  await owner.get(place())
  assert.equal((await owner.post(`${place()}/${id}/delete`)).status, 404)
})
