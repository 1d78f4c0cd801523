import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datevAmount, datevColumns, datevHead, datevLine, type Booking, type DatevHeader } from './datev.ts'

// The first two lines of EXTF_Buchungsstapel.csv in DATEV's published sample data, with our name where the sample has none, and
// without its initials.
const sampleHeader =
  '"EXTF";700;21;"Buchungsstapel";13;20240130140440439;;"RE";"Florin";"";29098;55003;20240101;4;20240101;20240831;"Buchungsstapel";"";1;0;0;"EUR";;"";;;"03";;;"";""'
const sampleColumns =
  'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink;Beleginfo - Art 1;Beleginfo - Inhalt 1;Beleginfo - Art 2;Beleginfo - Inhalt 2;Beleginfo - Art 3;Beleginfo - Inhalt 3;Beleginfo - Art 4;Beleginfo - Inhalt 4;Beleginfo - Art 5;Beleginfo - Inhalt 5;Beleginfo - Art 6;Beleginfo - Inhalt 6;Beleginfo - Art 7;Beleginfo - Inhalt 7;Beleginfo - Art 8;Beleginfo - Inhalt 8;KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung;Zusatzinformation - Art 1;Zusatzinformation- Inhalt 1;Zusatzinformation - Art 2;Zusatzinformation- Inhalt 2;Zusatzinformation - Art 3;Zusatzinformation- Inhalt 3;Zusatzinformation - Art 4;Zusatzinformation- Inhalt 4;Zusatzinformation - Art 5;Zusatzinformation- Inhalt 5;Zusatzinformation - Art 6;Zusatzinformation- Inhalt 6;Zusatzinformation - Art 7;Zusatzinformation- Inhalt 7;Zusatzinformation - Art 8;Zusatzinformation- Inhalt 8;Zusatzinformation - Art 9;Zusatzinformation- Inhalt 9;Zusatzinformation - Art 10;Zusatzinformation- Inhalt 10;Zusatzinformation - Art 11;Zusatzinformation- Inhalt 11;Zusatzinformation - Art 12;Zusatzinformation- Inhalt 12;Zusatzinformation - Art 13;Zusatzinformation- Inhalt 13;Zusatzinformation - Art 14;Zusatzinformation- Inhalt 14;Zusatzinformation - Art 15;Zusatzinformation- Inhalt 15;Zusatzinformation - Art 16;Zusatzinformation- Inhalt 16;Zusatzinformation - Art 17;Zusatzinformation- Inhalt 17;Zusatzinformation - Art 18;Zusatzinformation- Inhalt 18;Zusatzinformation - Art 19;Zusatzinformation- Inhalt 19;Zusatzinformation - Art 20;Zusatzinformation- Inhalt 20;Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis;Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto'

const header: DatevHeader = {
  consultantNumber: 29098,
  clientNumber: 55003,
  fiscalYearStart: '2024-01-01',
  accountLength: 4,
  from: '2024-01-01',
  to: '2024-08-31',
  name: 'Buchungsstapel',
  currency: 'EUR',
  chart: '03',
  madeAt: new Date('2024-01-30T14:04:40.439Z'),
}

const booking: Booking = {
  amountMinor: 10018n,
  side: 'S',
  account: '1361',
  contraAccount: '8400',
  day: '2024-01-31',
  document: 'order-1',
  text: 'Test',
  notes: [],
}

test('the first two lines match DATEV’s published sample', () => {
  assert.deepEqual(datevHead(header).split('\r\n'), [sampleHeader, sampleColumns, ''])
  assert.equal(datevColumns.length, 125)
})

test('a booking has a field for each of the 125 columns', () => {
  const line = datevLine({ ...booking, notes: [['tx_ref', 'order 1 & more']] }, 'EUR')
  const empty = (count: number): string => ';'.repeat(count)
  const expected = `100,18;"S"${empty(5)}1361;8400;;3101;"order-1"${empty(3)}"Test"${empty(7)}"tx_ref";"order 1 & more"${empty(92)}0${empty(11)}`
  assert.equal(line, `${expected}\r\n`)
  assert.equal(expected.split(';').length, 125)
})

test('eight notes have a column each, and a ninth is left out', () => {
  const notes = Array.from({ length: 9 }, (_, at) => [`n${at + 1}`, `v${at + 1}`] as const)
  const fields = datevLine({ ...booking, notes }, 'EUR').split(';')
  const first = datevColumns.indexOf('Beleginfo - Art 1')
  assert.deepEqual(
    fields.slice(first, first + 16),
    notes.slice(0, 8).flatMap(([name, value]) => [`"${name}"`, `"${value}"`]),
  )
  assert.equal(fields.length, 125)
  assert.equal(fields[first + 16], '')
})

test('amounts have a decimal comma, two decimals and no separators', () => {
  const cases: readonly (readonly [bigint, string, string])[] = [
    [1n, 'EUR', '0,01'],
    [99n, 'EUR', '0,99'],
    [100n, 'GBP', '1,00'],
    [123456789n, 'EUR', '1234567,89'],
    [500n, 'JPY', '500,00'],
  ]
  for (const [minor, currency, expected] of cases) assert.equal(datevAmount(minor, currency), expected)
  for (const [minor, currency] of [
    [0n, 'EUR'],
    [-1n, 'EUR'],
    [1n, 'BHD'],
    [1n, '???'],
  ] as const)
    assert.throws(() => datevAmount(minor, currency), RangeError)
})

test('text from outside can’t break out of its field', () => {
  const odd = 'a";"b\r\nEXTF;\t=1+1 '
  const fields = datevLine({ ...booking, text: odd, document: odd, notes: [[odd, odd]] }, 'EUR')
  assert.ok(fields.includes('"a"";""b EXTF; =1+1"'))
  assert.ok(fields.includes('"a---b--EXTF---1+1-"'))
  assert.equal(fields.split('\r\n').length, 2)
})

test('long text is cut at DATEV’s limit', () => {
  const long = 'ä'.repeat(300)
  const fields = datevLine({ ...booking, text: long, document: 'x'.repeat(99), notes: [[long, long]] }, 'EUR')
  for (const [letter, count] of [
    ['ä', 60],
    ['x', 36],
    ['ä', 20],
    ['ä', 210],
  ] as const)
    assert.ok(fields.includes(`"${letter.repeat(count)}"`), `${count}`)
})
