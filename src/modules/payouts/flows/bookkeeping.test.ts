import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { rebuildLineSums } from '../rebuild-sums.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { arrivalRow, feedRow, lineRow, payoutRow } from '../../../../test/support/payout-rows.ts'
import { insertRows } from '../../../../test/support/rows.ts'
import { runFlorin } from '../../../../test/support/run-florin.ts'
import { actionsOf, signedIn, type Visitor } from '../../../../test/support/visitor.ts'

// An accountant's month: set the accounts, take the files away, give the bank statement, see what is missing. Rules of single
// files: src/modules/payouts/bookkeeping and src/modules/payouts/bank.

let house: House
let owner: Visitor
let folder: string

before(async () => {
  house = await openHouse()
  folder = await mkdtemp(join(tmpdir(), 'bookkeeping-'))
  owner = await signedIn(house, { role: 'owner' })
  const merchant_id = house.merchantId
  await insertRows(house.db, 'payout_feeds', [feedRow({ merchant_id })])
  await insertRows(house.db, 'payouts', [
    payoutRow({ merchant_id, id: 'po_1', amount_minor: 960n, bank_reference: 'STRIPE-77A' }),
    payoutRow({ merchant_id, id: 'po_2', amount_minor: 5000n }),
  ])
  await insertRows(house.db, 'payout_history', [arrivalRow({ merchant_id, payout_id: 'po_1' })])
  await insertRows(house.db, 'payout_lines', [
    lineRow({ merchant_id, reference: 'txn_1', payout_id: 'po_1' }),
  ])
  await rebuildLineSums(house.db, merchant_id)
})
after(async () => {
  await house.close()
  await rm(folder, { recursive: true })
})

const at = (path: string): string => `/dashboard/${house.merchantId}/live${path}`
const november = 'from=2026-11-01&to=2026-11-30'
const days = { from: '2026-11-01', to: '2026-11-30' }
const exported = async (fields: Record<string, string>) =>
  owner.fill(at('/bookkeeping'), fields, at('/bookkeeping/do/export'))
const florin = async (...args: string[]) => runFlorin(['payouts', ...args], { DATABASE_URL: house.db.url })

test('the page shows each network’s charges, and an export names missing accounts', async () => {
  const page = await owner.get(`${at('/bookkeeping')}?${november}`)
  assert.equal(page.status, 200)
  for (const shown of [
    'Stripe, EUR',
    '€10.00',
    '€0.40',
    '€0.06',
    '€9.60',
    'A file for DATEV needs these settings first',
  ])
    assert.ok(page.text.replaceAll('&#8364;', '€').includes(shown), shown)
  const empty = await owner.get(`${at('/bookkeeping')}?from=2020-01-01&to=2020-01-31`)
  assert.match(empty.text, /No network booked anything from 1 January 2020 to 31 January 2020\./)
  assert.match(empty.text, /href="[^"]+from=\d{4}-\d\d-01[^"]+">Show this month</)
  const refused = await exported({
    ...days,
    currency: 'EUR',
    format: 'datev',
  })
  assert.equal(refused.status, 400)
  assert.match(
    refused.text,
    /Set these in the bookkeeping settings first: consultant_number, client_number, sales, fees, clearing_stripe/,
  )
})

test('accounts are set in the settings and at the command line, each with an audit entry', async () => {
  const typed = { sales: '8400', fees: '4970', bank: '1360', clearing_stripe: '1361', client_number: '0' }
  const wrong = await owner.fill(at('/settings/bookkeeping/edit'), typed)
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /Client number must be a whole number from 1 to 99999/)
  const saved = await owner.fill(at('/settings/bookkeeping/edit'), { ...typed, client_number: '55003' })
  assert.equal(saved.status, 303)
  const { code, out } = await florin('accounts', 'consultant_number=29098', 'chart=03')
  assert.equal(code, 0)
  for (const line of [/clearing_stripe +1361/, /client_number +55003/, /consultant_number +29098/])
    assert.match(out, line)
  assert.match((await florin('accounts', 'bnak=1')).err, /"bnak" is no setting\. There are: sales/)
  assert.match((await owner.get(at('/settings/bookkeeping'))).text, /29098/)
  assert.equal((await actionsOf(house)).filter((action) => action === 'bookkeeping.changed').length, 2)
})

test('both files can be downloaded and written by a command, byte for byte the same', async () => {
  const csv = await exported({ ...days, format: 'csv' })
  assert.equal(csv.status, 200)
  assert.match(csv.headers.get('content-disposition') ?? '', /bookkeeping-live-2026-11-01-2026-11-30\.csv/)
  assert.match(csv.text, /2026-11-10,payment,charge,stripe,,,,10\.00,0\.34,0\.06,9\.60,EUR/)
  const period = ['--from', days.from, '--to', days.to, '--mode', 'live']
  assert.equal((await florin('export', ...period)).out, csv.text)

  const ready = await owner.get(`${at('/bookkeeping')}?from=${days.from}&to=${days.to}`)
  assert.match(ready.text, /Download for DATEV \(EUR\)/)
  const datev = await exported({ ...days, currency: 'EUR', format: 'datev' })
  assert.equal(datev.headers.get('content-type'), 'text/csv; charset=windows-1252')
  assert.match(datev.text, /^"EXTF";700;21;"Buchungsstapel";13;/)
  const output = join(folder, 'EXTF_november.csv')
  await florin('export', ...period, '--format', 'datev', '--output', output)
  const written = new TextDecoder('windows-1252').decode(await readFile(output))
  assert.match(written, /Gegenkonto \(ohne BU-Schlüssel\)/)
  assert.match(written, /9,60;"H";;;;;1361;1360;;1711;"STRIPE-77A"/)
  assert.equal((await actionsOf(house)).filter((action) => action === 'bookkeeping.exported').length, 4)
})

const statement = `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>
<Ntry><Amt Ccy="EUR">9.60</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-17</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>STRIPE-</Ustrd><Ustrd>77A</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">3.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-17</Dt></BookgDt><AddtlNtryInf>STRIPE &lt;b&gt;odd</AddtlNtryInf></Ntry>
</Stmt></BkToCstmrStmt></Document>`

async function upload(file: string): Promise<{ status: number; text: string }> {
  await owner.get(at('/bookkeeping/bank'))
  const body = new FormData()
  body.set('token', owner.token() ?? '')
  body.set('currency', '')
  body.set('file', new Blob([file]), 'statement.xml')
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, ...owner.headers }
  const answer = await fetch(house.url + at('/bookkeeping/bank'), { method: 'POST', body, headers })
  return { status: answer.status, text: await answer.text() }
}

test('an uploaded bank statement marks payouts as seen, and lists what is unmatched on both sides', async () => {
  const page = await upload(statement)
  assert.equal(page.status, 200)
  assert.match(page.text, /1 payout found/)
  assert.match(page.text, /by reference/)
  const [, unseen = '', left = ''] = page.text.split(/<h2>(?:Payouts not seen|Entries of the bank)/)
  assert.match(unseen, /po_2/)
  assert.ok(!unseen.includes('po_1'))
  assert.match(left, /STRIPE &lt;b&gt;odd/)
  assert.match(left, /names a network, but fits no payout/)
  assert.match((await upload(statement)).text, /0 payouts found/)
  assert.match((await owner.get(at('/payouts/po_1'))).text, /Seen on 17 Nov/)
  assert.match((await owner.get(at('/payouts'))).text, new RegExp(`href="${at('/bookkeeping')}"`))
  assert.ok((await actionsOf(house)).includes('bank_statement.matched'))
})

test('rows that are not read are listed on the page, with their lines', async () => {
  const page = await upload('Date,Amount,Currency,Text\n01/02/2026,5,EUR,a\n<b>,5,EUR,b\nTotal,5,EUR,c\n')
  assert.equal(page.status, 200)
  assert.match(page.text, /2 rows were not read\./)
  assert.match(page.text, /01\/02\/2026 was read as 1 February 2026\./)
  const [, rows = ''] = page.text.split('<h2>Rows that were not read')
  assert.match(rows, /line 3[^]*&lt;b&gt;[^;]*; is no date[^]*line 4[^]*Total[^;]*; is no date/)
})

test('a file that is no statement is refused on the page with an explanation', async () => {
  for (const [file, says] of [
    ['', /The file is empty/],
    ['<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', /declares a document type/],
  ] as const) {
    const page = await upload(file)
    assert.equal(page.status, 400)
    assert.match(page.text, says)
  }
})

test('a statement can be matched at the command line too', async () => {
  const path = join(folder, 'bank.csv')
  await writeFile(path, 'Date,Amount,Reference\n18/11/2026,50.00,Stripe\n')
  const { out } = await florin('match', path, '--currency', 'EUR', '--mode', 'live')
  assert.match(out, /1 entry: 1 payout found, 0 found before, 1 left over/)
  const told = JSON.parse(
    (await florin('match', path, '--currency', 'EUR', '--mode', 'live', '--json')).out,
  ) as object
  assert.deepEqual(
    { ...told, left_at_bank: [] },
    {
      entries: 1,
      known: 1,
      unread: [],
      unread_count: 0,
      day_first_assumed: false,
      matched: [],
      left_at_bank: [],
      left_at_networks: [],
    },
  )
  await writeFile(path, 'Date,Amount,Reference\n18/11/2026,50.00,Stripe\nTotal,50.00,\n')
  const again = await florin('match', path, '--currency', 'EUR', '--mode', 'live')
  assert.match(again.out, /1 row was not read\.\n[^]*line 3 +“Total” is no date/)
  assert.match((await florin('match', join(folder, 'none'))).err, /There is no file/)
})
