import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnreadableStatement, type BankEntry } from './bank-entry.ts'
import { readStatement } from './read-statement.ts'
import { makeReading } from './reading.ts'

// Statements as banks write them, the odd ones included.

type Parts = { version?: string; statements: string }

function camt({ version = '02', statements }: Parts): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr>${statements}</BkToCstmrStmt></Document>`
}

function statement(entries: string, id = 'S1', iban = 'DE02 1203 0000 0000 2020 51'): string {
  return `<Stmt><Id>${id}</Id><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct><Bal><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>${entries}</Stmt>`
}

type Ntry = { amount?: string; side?: string; status?: string; date?: string; name?: string; more?: string }

function ntry({
  amount = '12.50',
  side = 'CRDT',
  status = 'BOOK',
  date = '2026-11-17',
  ...rest
}: Ntry = {}): string {
  const name = rest.name === undefined ? '' : `<AcctSvcrRef>${rest.name}</AcctSvcrRef>`
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>${date}</Dt></BookgDt>${name}${rest.more ?? ''}</Ntry>`
}

async function read(text: string | Uint8Array): Promise<BankEntry[]> {
  const entries: BankEntry[] = []
  for await (const entry of readStatement([Buffer.from(text)])) entries.push(entry)
  return entries
}

const details = (inside: string): string => `<NtryDtls>${inside}</NtryDtls>`

test('an entry has its account, day, signed amount and every text that may hold a reference', async () => {
  const more = details(
    '<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId><TxId>T-9</TxId></Refs><RltdPties><Dbtr><Nm>Stripe Payments</Nm></Dbtr></RltdPties><RmtInf><Ustrd>STRIPE PO</Ustrd><Ustrd>123456 &amp; more</Ustrd><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>',
  )
  const [entry, ...others] = await read(camt({ statements: statement(ntry({ name: 'B-1', more })) }))
  assert.equal(others.length, 0)
  assert.match(entry?.key ?? '', /^[\w-]{27}$/)
  assert.deepEqual(
    { ...entry, key: '' },
    {
      account: 'DE02120300000000202051',
      key: '',
      bookedOn: '2026-11-17',
      amountMinor: 1250n,
      currency: 'EUR',
      texts: ['T-9', 'Stripe Payments', 'STRIPE PO', '123456 & more', 'RF18', 'B-1'],
    },
  )
})

test('entries that are not booked, and a statement given twice, are named by their place', async () => {
  const reading = makeReading()
  const first = statement(ntry() + ntry({ status: 'PDNG' }))
  const text = camt({ statements: first + first })
  await Array.fromAsync(readStatement([Buffer.from(text)], undefined, reading))
  assert.deepEqual(reading.unread, [
    { place: 'entry 2', why: 'it is not booked: “PDNG”' },
    { place: 'entry 3', why: 'its statement is in the file twice' },
    { place: 'entry 4', why: 'its statement is in the file twice' },
  ])
})

const amounts: readonly (readonly [name: string, entries: string, minor: readonly bigint[]])[] = [
  ['credits and debits', ntry() + ntry({ side: 'DBIT' }), [1250n, -1250n]],
  ['an amount without decimals', ntry({ amount: '7' }), [700n]],
  ['zeros beyond the decimals', ntry({ amount: '7.10000' }), [710n]],
  ['pending entries and notes', ntry({ status: 'PDNG' }) + ntry({ status: 'INFO' }) + ntry(), [1250n]],
  [
    'a status with a code, as of version 8',
    ntry({ status: '<Cd>BOOK</Cd>' }) + ntry({ status: '<Cd>PDNG</Cd>' }),
    [1250n],
  ],
  [
    'a reversed entry, which goes where it says',
    ntry({ side: 'DBIT', more: '<RvslInd>true</RvslInd>' }),
    [-1250n],
  ],
  [
    'a date with a time',
    ntry().replace('<Dt>2026-11-17</Dt>', '<DtTm>2026-11-17T23:59:59+01:00</DtTm>'),
    [1250n],
  ],
  ['a value date alone', ntry().replaceAll('BookgDt', 'ValDt'), [1250n]],
  [
    'a batch whose parts add up',
    ntry({
      amount: '30.00',
      more: details(
        '<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">10.00</Amt></TxAmt></AmtDtls></TxDtls><TxDtls><Amt Ccy="EUR">20.00</Amt></TxDtls>',
      ),
    }),
    [1000n, 2000n],
  ],
  [
    'a batch whose parts do not add up',
    ntry({ amount: '30.00', more: details('<TxDtls><Amt Ccy="EUR">10.00</Amt></TxDtls><TxDtls></TxDtls>') }),
    [3000n],
  ],
]

for (const [name, entries, minor] of amounts)
  test(`camt.053 with ${name}`, async () => {
    const found = await read(camt({ statements: statement(entries) }))
    assert.deepEqual(
      found.map(({ amountMinor }) => amountMinor),
      minor,
    )
    assert.ok(found.every(({ bookedOn }) => bookedOn === '2026-11-17'))
  })

test('several statements are read, each with its account, and duplicates once', async () => {
  const one = statement(ntry({ name: 'B-1' }))
  const other = statement(ntry(), 'S2', 'GB33BUKB20201555555555')
  const found = await read(camt({ version: '08', statements: one + other + one }))
  assert.deepEqual(
    found.map(({ account }) => account),
    ['DE02120300000000202051', 'GB33BUKB20201555555555'],
  )
})

test('an entry has the same key in every file, and identical entries of a day have distinct keys', async () => {
  const keys = async (entries: string): Promise<string[]> =>
    (await read(camt({ statements: statement(entries) }))).map(({ key }) => key)
  const day = ntry({ name: 'B-1' }) + ntry() + ntry()
  const [named, first, second] = await keys(day)
  assert.equal(new Set([named, first, second]).size, 3)
  assert.deepEqual(await keys(day), [named, first, second])
  assert.deepEqual(await keys(ntry({ date: '2026-11-16' }) + day), [
    ...(await keys(ntry({ date: '2026-11-16' }))),
    named,
    first,
    second,
  ])
  // A bank that writes one entry twice, by its own name.
  assert.deepEqual(await keys(ntry({ name: 'B-1' }) + ntry({ name: 'B-1' })), [named, named])
})

test('prefixes, other encodings and a byte order mark are read', async () => {
  const text = camt({ statements: statement(ntry({ more: '<AddtlNtryInf>Gebühr</AddtlNtryInf>' })) })
  const prefixed = text.replace(/<(\/?)(?=[A-Z])/g, '<$1ns2:').replace('xmlns=', 'xmlns:ns2=')
  const files: readonly (string | Uint8Array)[] = [
    text,
    `\ufeff${text}`,
    prefixed,
    Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1'),
    Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
  ]
  for (const file of files) assert.deepEqual((await read(file))[0]?.texts, ['Gebühr'])
})

const refused: readonly (readonly [name: string, text: string, says: RegExp])[] = [
  ['a camt.052', camt({ statements: '' }).replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt'), /camt\.052/],
  ['a camt.054', camt({ statements: '' }).replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'), /camt\.054/],
  ['another XML', '<html><body/></html>', /no bank statement/],
  ['a document type', `<!DOCTYPE Document [<!ENTITY a "b">]>${camt({ statements: '' })}`, /not valid XML/],
  [
    'an amount with a comma',
    camt({ statements: statement(ntry({ amount: '12,50' })) }),
    /Entry 1 .*"12,50 EUR"/,
  ],
  ['an amount with a sign', camt({ statements: statement(ntry() + ntry({ amount: '-1' })) }), /Entry 2/],
  ['no direction', camt({ statements: statement(ntry({ side: '' })) }), /neither credit nor debit/],
  ['no date', camt({ statements: statement(ntry({ date: '' })) }), /no date/],
  ['no end', camt({ statements: statement(ntry()) }).slice(0, -12), /end is missing/],
]

for (const [name, text, says] of refused)
  test(`a statement with ${name} is refused with an explanation`, async () => {
    await assert.rejects(
      read(text),
      (error) => error instanceof UnreadableStatement && says.test(error.message),
    )
  })
