import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnreadableStatement, type BankEntry } from './bank-entry.ts'
import { makeReading, type Reading } from './reading.ts'
import { readStatement } from './read-statement.ts'

async function read(text: string | Uint8Array, currency?: string): Promise<BankEntry[]> {
  const entries: BankEntry[] = []
  for await (const entry of readStatement([Buffer.from(text)], currency)) entries.push(entry)
  return entries
}

/** What is not read of a file. */
async function unreadOf(text: string, currency?: string): Promise<Reading> {
  const reading = makeReading()
  await Array.fromAsync(readStatement([Buffer.from(text)], currency, reading))
  return reading
}

/** `day amount currency texts` */
async function told(text: string | Uint8Array, currency?: string): Promise<string[]> {
  const entries = await read(text, currency)
  return entries.map((one) => [one.bookedOn, one.amountMinor, one.currency, one.texts.join('|')].join(' '))
}

const german = `"Girokonto";"DE02 1203 0000 0000 2020 51"\r\n"Kontostand vom 18.11.2026:";"5.000,00 EUR"\r\n\r\n"Buchungsdatum";"Zahlungspflichtiger";"Verwendungszweck";"Betrag (€)";"Kundenreferenz"\r\n"17.11.26";"Stripe";"STRIPE ""PO"" Gebühr; 1
2";"1.250,00";"REF-9"\r\n"16.11.26";"Miete";"";"-900,00";""\r\n"Summe";"";"";"350,00";""\r\n`

const files: readonly (readonly [
  name: string,
  text: string | Uint8Array,
  expected: string[],
  currency?: string,
])[] = [
  [
    'lines before the headings, quotes, line ends within a cell and a sum at the end',
    german,
    ['2026-11-17 125000 EUR Stripe|STRIPE "PO" Gebühr; 1\n2|REF-9', '2026-11-16 -90000 EUR Miete'],
  ],
  [
    'Windows-1252 letters',
    Buffer.from(german.replace('€', 'EUR'), 'latin1'),
    ['2026-11-17 125000 EUR Stripe|STRIPE "PO" Gebühr; 1\n2|REF-9', '2026-11-16 -90000 EUR Miete'],
  ],
  [
    'a byte order mark, commas and columns for money in and out',
    '\ufeffDate,Description,Paid out,Paid in,Balance\n17/11/2026,STRIPE REF-9,,"1,250.00","9,000.00"\n16/11/2026,RENT,900.00,,7.00\n',
    ['2026-11-17 125000 GBP STRIPE REF-9|9,000.00', '2026-11-16 -90000 GBP RENT|7.00'],
    'GBP',
  ],
  [
    'tabs, a currency of its own and dates that put the month first',
    'Posting Date\tAmount\tCurrency\tMemo\n11/17/2026\t10.00\tusd\tStripe\n11/02/2026\t-5\tEUR\tx\n',
    ['2026-11-17 1000 USD Stripe', '2026-11-02 -500 EUR x'],
  ],
  [
    'a column that says debit or credit, and no line end at its end',
    'Buchungstag;Betrag;Währung;Soll/Haben;Text\n17.11.2026;12,00;EUR;S;a\n17.11.2026;12,00;EUR;H;b',
    ['2026-11-17 -1200 EUR S|a', '2026-11-17 1200 EUR H|b'],
  ],
  [
    'a zero in the column that doesn’t count, a minus in the other, and blanks in both',
    'Date,Text,Money out,Money in,Currency\n2026-11-17,a,0.00,5.00,GBP\n2026-11-17,b,6.00,0.00,GBP\n2026-11-17,c,-7.00,,GBP\n2026-11-17,d,,,GBP\n2026-11-17,e,,0.00,GBP\n',
    ['2026-11-17 500 GBP a', '2026-11-17 -600 GBP b', '2026-11-17 -700 GBP c', '2026-11-17 0 GBP e'],
  ],
  [
    'a currency without decimals',
    'Date,Amount (JPY),Text\n2026-11-17,"1,250",a\n2026-11-17,-5,b\n',
    ['2026-11-17 1250 JPY a', '2026-11-17 -5 JPY b'],
  ],
  [
    'payments that are not booked',
    'Date,Amount,Currency,State,Reference\n2026-11-17,5,GBP,PENDING,a\n2026-11-17,6,GBP,COMPLETED,b\n',
    ['2026-11-17 600 GBP COMPLETED|b'],
  ],
]

for (const [name, text, expected, currency] of files)
  test(`a bank's CSV with ${name} is read`, async () =>
    assert.deepEqual(await told(text, currency), expected))

const headings = 'Date,Amount,Currency,Text\n'

test('an account is kept without spaces, and no longer than fifty letters', async () => {
  const account = async (text: string) =>
    (await read(`Date,Amount,Currency,IBAN\n2026-11-17,5,GBP,${text}\n`))[0]?.account
  assert.equal(await account('DE02 1203 0000'), 'DE0212030000')
  assert.equal(await account('x'.repeat(50)), 'x'.repeat(50))
  assert.equal(await account('x'.repeat(51)), 'x'.repeat(50))
})

test('headings are looked for in the first forty rows', async () => {
  const rows = (count: number): string => 'Some bank,x\n'.repeat(count) + headings + '2026-11-17,5,GBP,a\n'
  assert.deepEqual(await told(rows(39)), ['2026-11-17 500 GBP a'])
  await assert.rejects(told(rows(40)), /no row with a date and an amount/)
})

test('the order of day and month is judged by the whole file, and no row is lost', async () => {
  const rows = (count: number): string =>
    headings + '01/02/2026,5,GBP,a\n'.repeat(count) + '11/17/2026,6,GBP,b\n'.repeat(190)
  for (const count of [1, 499, 500, 720, 3_000]) {
    const found = await told(rows(count))
    assert.equal(found.length, count + 190)
    assert.equal(found[0], '2026-01-02 500 GBP a')
    assert.equal(found.at(-1), '2026-11-17 600 GBP b')
  }
  const { unreadCount, isDayFirstAssumed } = await unreadOf(rows(720))
  assert.deepEqual([unreadCount, isDayFirstAssumed], [0, false])
})

test('a file without a date that tells day from month is read day first, and says so', async () => {
  const text = `${headings}01/02/2026,5,GBP,a\n05/05/2026,6,GBP,b\n`
  assert.deepEqual(await told(text), ['2026-02-01 500 GBP a', '2026-05-05 600 GBP b'])
  assert.equal((await unreadOf(text)).isDayFirstAssumed, true)
  const same = await unreadOf(`${headings}05/05/2026,6,GBP,b\n`)
  assert.equal(same.isDayFirstAssumed, false)
})

test('a file with both orders is refused, with a line of each', async () => {
  const text = `${headings}01/02/2026,5,GBP,a\n11/17/2026,5,GBP,b\n17/11/2026,5,GBP,c\n`
  await assert.rejects(read(text), /“11\/17\/2026” in line 3, “17\/11\/2026” in line 4/)
})

test('every row that is not read is named by its line, with the reason', async () => {
  const rows = [
    '17/11/2026,5,GBP,COMPLETED,a',
    '31/02/2026,6,GBP,COMPLETED,b',
    '17/11/2026,6,GBP,PENDING,"c',
    'd"',
    '17/11/2026,1.23.4,GBP,COMPLETED,e',
    '',
    '17/11/2026,,GBP,COMPLETED,f',
    `Total${'l'.repeat(50)},11,GBP,,`,
    ',,GBP,,',
  ]
  const { unread, unreadCount } = await unreadOf(`Bank\nDate,Amount,Currency,State,Text\n${rows.join('\n')}`)
  assert.deepEqual(
    unread.map(({ place, why }) => `${place}: ${why}`),
    [
      'line 4: “31/02/2026” is no date',
      'line 5: it is not booked: “PENDING”',
      'line 7: “1.23.4” is no amount in GBP',
      'line 9: it has no amount',
      `line 10: “Total${'l'.repeat(35)}…” is no date`,
      'line 11: it has no date',
    ],
  )
  assert.equal(unreadCount, 6)
  const inAndOut = 'Date,Text,Money out,Money in\n17/11/2026,a,5.00,abc1\n17/11/2026,b,-,6.00\n'
  assert.deepEqual(
    (await unreadOf(inAndOut, 'GBP')).unread.map(({ place, why }) => `${place}: ${why}`),
    ['line 2: “abc1” is no amount in GBP'],
  )
  const many = await unreadOf(headings + 'x,5,GBP,a\n'.repeat(2_000))
  assert.deepEqual([many.unread.length, many.unreadCount], [1_000, 2_000])
})

test('a row of 100,000 letters is read, a longer one is refused', async () => {
  const row = (letters: number): string => {
    const begins = '2026-11-17,5,GBP,'
    return `${headings}${begins}${'x'.repeat(letters - begins.length - 1)}\n`
  }
  assert.equal((await read(row(100_000))).length, 1)
  await assert.rejects(read(row(100_001)), /does not end/)
})

for (const [what, bytes] of [
  ['UTF-16, the low byte first', Buffer.from(`\ufeff${headings}2026-11-17,5,GBP,Müller\n`, 'utf16le')],
  [
    'UTF-16, the high byte first',
    Buffer.from(`\ufeff${headings}2026-11-17,5,GBP,Müller\n`, 'utf16le').swap16(),
  ],
  ['UTF-8', Buffer.from(`${headings}2026-11-17,5,GBP,Müller\n`)],
  ['Windows-1252', Buffer.from(`${headings}2026-11-17,5,GBP,Müller\n`, 'latin1')],
] as const)
  test(`a file in ${what} is read`, async () => {
    assert.deepEqual(await told(bytes), ['2026-11-17 500 GBP Müller'])
  })

test('a letter that two steps of the file share is read whole', async () => {
  const begins = `${headings}2026-11-17,5,GBP,`
  const text = `${begins}${'x'.repeat(64 * 1024 - begins.length - 1)}ü\n`
  assert.match((await told(text))[0] ?? '', /xü$/)
})

test('a file in letters that nobody knows is refused by their name', async () => {
  await assert.rejects(read('<?xml version="1.0" encoding="klingon"?><a/>'), /klingon/)
})

test('identical CSV entries have distinct, stable keys', async () => {
  const text = 'Date,Amount,Currency,Text\n2026-11-17,5,GBP,a\n2026-11-17,5,GBP,a\n'
  const keys = (await read(text)).map(({ key }) => key)
  assert.equal(new Set(keys).size, 2)
  assert.deepEqual(
    (await read(text)).map(({ key }) => key),
    keys,
  )
})

const refused: readonly (readonly [name: string, text: string | Uint8Array, says: RegExp])[] = [
  ['nothing in it', '', /empty/],
  ['no headings', '17.11.2026;5,00;x\n', /no row with a date and an amount/],
  ['no currency', 'Date,Amount,Text\n2026-11-17,5,a\n', /which currency/],
  ['a row without an end', `Date,Amount\n"${'x'.repeat(200_000)}`, /does not end/],
  ['quotes without an end', 'Date,Amount,Currency\n2026-11-17,5,"GBP', /cut off/],
  ['a zip around it', Buffer.from('PK\x03\x04rest', 'latin1'), /zip/],
  ['a PDF instead', '%PDF-1.7 …', /PDF/],
]

for (const [name, text, says] of refused)
  test(`a bank’s file with ${name} is refused with an explanation`, async () => {
    await assert.rejects(
      read(text),
      (error) => error instanceof UnreadableStatement && says.test(error.message),
    )
  })

test('entries are returned while the file is still being read', async () => {
  let piecesRead = 0
  function* pieces(): Generator<Buffer> {
    yield Buffer.from('Date,Amount,Currency,Text\n')
    for (; piecesRead < 10; piecesRead += 1) yield Buffer.from('2026-11-17,5,GBP,some words\n'.repeat(2_000))
  }
  let count = 0
  for await (const entry of readStatement(pieces())) {
    assert.equal(entry.amountMinor, 500n)
    count += 1
    if (count === 1) assert.ok(piecesRead < 5, `${piecesRead} pieces`)
  }
  assert.equal(count, 20_000)
})
