import { decimalsOf } from '../../../platform/money/currencies.ts'

// DATEV's import format EXTF: a batch of bookings («Buchungsstapel»), format 700, category 21, version 13. A header line, a line
// with the names of the 125 columns, then a line for each booking. Texts are in quotes, numbers are not, and the letters are
// Windows-1252. The test compares it with DATEV's published sample.

/** Importers refuse a batch with more. */
export const datevBookingsMax = 99_999

export type DatevHeader = {
  /** «Beraternummer»: of the tax adviser at DATEV. */
  readonly consultantNumber: number
  /** «Mandantennummer»: of the merchant at that adviser. */
  readonly clientNumber: number
  /** `2026-01-01` */
  readonly fiscalYearStart: string
  /** Digits of a general ledger account. */
  readonly accountLength: number
  /** Both days included, within one fiscal year: a booking's date has no year. */
  readonly from: string
  readonly to: string
  /** At most 30 letters. */
  readonly name: string
  readonly currency: string
  /** `03`, `04`; empty where it is neither. */
  readonly chart: string
  readonly madeAt: Date
}

export type Booking = {
  /** Always more than zero: the side says where it goes. */
  readonly amountMinor: bigint
  /** For `account`: S is debit, H is credit. */
  readonly side: 'S' | 'H'
  readonly account: string
  readonly contraAccount: string
  /** `2026-11-17` */
  readonly day: string
  /** «Belegfeld 1»: by which the adviser finds the document. */
  readonly document: string
  readonly text: string
  /** «Beleginfo»: what is known besides, by name; eight at most. */
  readonly notes: readonly (readonly [name: string, value: string])[]
}

function numbered(first: string, second: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => [`${first} ${at + 1}`, `${second} ${at + 1}`]).flat()
}

const firstColumns = `Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto
Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre
Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink`
const middleColumns = `KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung)
Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer
BU 49 Funktionsergänzung`
const lastColumns = `Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;Auftragsnummer
Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen)
Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername
Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis;Bezeichnung SoBil-Sachverhalt
Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU)
Steuersatz;Land;Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto`

/** As DATEV's sample writes them, the missing blank before a dash included. */
export const datevColumns: readonly string[] = [
  ...firstColumns.split(/[;\n]/),
  ...numbered('Beleginfo - Art', 'Beleginfo - Inhalt', 8),
  ...middleColumns.split(/[;\n]/),
  ...numbered('Zusatzinformation - Art', 'Zusatzinformation- Inhalt', 20),
  ...lastColumns.split(/[;\n]/),
]

const columnAt = (name: string): number => datevColumns.indexOf(name)
const firstNote = columnAt('Beleginfo - Art 1')
const locked = columnAt('Festschreibung')

/** The header line and the line with the names of the columns. */
export function datevHead(header: DatevHeader): string {
  const made = header.madeAt.toISOString().replace(/\D/g, '').slice(0, 17)
  const { consultantNumber, clientNumber, accountLength } = header
  // RE: from a program that writes invoices. What is empty behind it is the importer's to fill in.
  const origin = `"EXTF";700;21;"Buchungsstapel";13;${made};;"RE";"Florin";""`
  const period = `${digits(header.fiscalYearStart)};${accountLength};${digits(header.from)};${digits(header.to)}`
  // Bookkeeping, for every purpose, not locked: the adviser can still correct it.
  const kind = `${quoted(header.name, 30)};"";1;0;0;${quoted(header.currency, 3)};;"";;;${quoted(header.chart, 2)};;;"";""`
  const line = `${origin};${consultantNumber};${clientNumber};${period};${kind}`
  return `${line}\r\n${datevColumns.join(';')}\r\n`
}

export function datevLine(booking: Booking, currency: string): string {
  const fields = datevColumns.map(() => '')
  const { amountMinor, side, account, contraAccount, day, document, text, notes } = booking
  fields[0] = datevAmount(amountMinor, currency)
  fields[1] = quoted(side, 1)
  fields[columnAt('Konto')] = account
  fields[columnAt('Gegenkonto (ohne BU-Schlüssel)')] = contraAccount
  fields[columnAt('Belegdatum')] = `${day.slice(8, 10)}${day.slice(5, 7)}`
  fields[columnAt('Belegfeld 1')] = quoted(document.replace(/[^0-9A-Za-z$&%*+/-]/g, '-'), 36)
  fields[columnAt('Buchungstext')] = quoted(text, 60)
  for (const [at, [name, value]] of notes.slice(0, 8).entries()) {
    fields[firstNote + 2 * at] = quoted(name, 20)
    fields[firstNote + 2 * at + 1] = quoted(value, 210)
  }
  fields[locked] = '0'
  return `${fields.join(';')}\r\n`
}

/** `1234,50`: two decimals whatever the currency, no sign and no separators. */
export function datevAmount(minor: bigint, currency: string): string {
  const decimals = decimalsOf(currency)
  if (minor <= 0n || decimals === undefined || decimals > 2)
    throw new RangeError(`DATEV can't take ${minor} of ${currency}`)
  const hundredths = (minor * 10n ** BigInt(2 - decimals)).toString().padStart(3, '0')
  return `${hundredths.slice(0, -2)},${hundredths.slice(-2)}`
}

/** Whether amounts of it fit into DATEV's two decimals. */
export function isDatevCurrency(currency: string): boolean {
  return (decimalsOf(currency) ?? 3) <= 2
}

function digits(day: string): string {
  return day.replaceAll('-', '')
}

/** Line ends and tabs would end the record or shift its columns. */
function quoted(text: string, lettersMax: number): string {
  const [...letters] = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return `"${letters.slice(0, lettersMax).join('').replaceAll('"', '""')}"`
}
