import { makeEntryKeys, minorOf, UnreadableStatement, type BankEntry } from './bank-entry.ts'
import { noteUnread, quoted, type Reading } from './reading.ts'
import { attributeOf, makeXmlReader, type XmlReader } from './read-xml.ts'

// camt.053, the statement of ISO 20022, of every version: elements are found by their place, whatever the namespace.

type Transaction = {
  amount: string
  currency: string
  side: string
  texts: string[]
}

type Entry = Transaction & {
  status: string
  bookedOn: string
  valueOn: string
  bankName: string
  details: Transaction[]
}

const noTransaction = (): Transaction => ({ amount: '', currency: '', side: '', texts: [] })
const noEntry = (): Entry => ({
  ...noTransaction(),
  status: '',
  bookedOn: '',
  valueOn: '',
  bankName: '',
  details: [],
})

/** Names that banks give to every entry name none. */
const noName = /^(|0+|none?|nonref|notprovided|not provided|n\/?a)$/i

/** Where texts with references and names are, below an entry's transaction. */
const detailTexts =
  /^(Refs\/.+|RmtInf\/Ustrd|RmtInf\/Strd\/CdtrRefInf\/Ref|RmtInf\/Strd\/AddtlRmtInf|AddtlTxInf|RltdPties\/(Dbtr|UltmtDbtr|Cdtr|UltmtCdtr|InitgPty)\/(Pty\/)?Nm)$/
const entryTexts = /^(AcctSvcrRef|NtryRef|AddtlNtryInf|NtryDtls\/Btch\/(MsgId|PmtInfId))$/

/** `take` gets each booked entry as soon as it was read. */
export function makeCamtReader(take: (entry: BankEntry) => void, reading: Reading): XmlReader {
  const keyed = makeEntryKeys()
  const path: string[] = []
  const texts: string[] = []
  const statements = new Set<string>()
  let currencyOfAmount = ''
  let account = ''
  let statementName = ''
  let isRepeated = false
  let count = 0
  let entry: Entry | undefined

  function finish(done: Entry): void {
    count += 1
    const skip = (why: string): void => noteUnread(reading, `entry ${count}`, why)
    if (isRepeated) return skip('its statement is in the file twice')
    // Pending ones and mere notes may never be booked.
    if (done.status !== '' && done.status !== 'BOOK') return skip(`it is not booked: ${quoted(done.status)}`)
    for (const facts of readEntry(done, count)) take(keyed({ ...facts, account }))
  }

  function readLeaf(at: string, text: string): void {
    const inEntry = /^Document\/BkToCstmrStmt\/Stmt\/Ntry\/(.+)$/.exec(at)?.[1]
    if (inEntry !== undefined && entry) return readEntryLeaf(entry, inEntry, text, currencyOfAmount)
    const inStatement = /^Document\/BkToCstmrStmt\/Stmt\/(.+)$/.exec(at)?.[1]
    if (inStatement === 'Id') statementName = text
    if (inStatement === 'Acct/Id/IBAN' || inStatement === 'Acct/Id/Othr/Id') {
      account = text.replace(/[\s\p{C}]/gu, '').slice(0, 50)
      // Some banks put a statement into one file twice.
      const name = `${account} ${statementName}`
      isRepeated = statementName !== '' && statements.has(name)
      statements.add(name)
    }
  }

  return makeXmlReader({
    open(name, attributes) {
      if (path.length === 1) checkKind(path[0], name)
      path.push(name)
      texts.length = 0
      if (name === 'Amt') currencyOfAmount = attributeOf(attributes, 'Ccy')
      if (path.length === 3 && name === 'Stmt') [account, statementName, isRepeated] = ['', '', false]
      if (path.length === 4 && name === 'Ntry') entry = noEntry()
      if (path.length === 6 && name === 'TxDtls') entry?.details.push(noTransaction())
    },
    text(text) {
      texts.push(text)
    },
    close(name) {
      const text = texts.join('').trim()
      if (text !== '') readLeaf(path.join('/'), text)
      texts.length = 0
      path.pop()
      if (path.length === 3 && name === 'Ntry' && entry) {
        finish(entry)
        entry = undefined
      }
    },
  })
}

function checkKind(root: string | undefined, name: string): void {
  if (root === 'Document' && name === 'BkToCstmrStmt') return
  const others: Record<string, string> = {
    BkToCstmrAcctRpt: 'This is a camt.052, which is not final',
    BkToCstmrDbtCdtNtfctn: 'This is a camt.054, which has single entries only',
  }
  throw new UnreadableStatement(
    `${others[name] ?? 'This XML is no bank statement'}. Get a camt.053 from your bank`,
  )
}

function readEntryLeaf(entry: Entry, at: string, text: string, currency: string): void {
  const inDetail = /^NtryDtls\/TxDtls\/(.+)$/.exec(at)?.[1]
  const detail = entry.details.at(-1)
  if (inDetail !== undefined && detail) {
    if (inDetail === 'Amt' || (inDetail === 'AmtDtls/TxAmt/Amt' && detail.amount === ''))
      [detail.amount, detail.currency] = [text, currency]
    else if (inDetail === 'CdtDbtInd') detail.side = text
    else if (detailTexts.test(inDetail) && !noName.test(text)) detail.texts.push(text)
    return
  }
  if (at === 'Amt') [entry.amount, entry.currency] = [text, currency]
  else if (at === 'CdtDbtInd') entry.side = text
  else if (at === 'Sts' || at === 'Sts/Cd') entry.status = text
  else if (at === 'BookgDt/Dt' || at === 'BookgDt/DtTm') entry.bookedOn = text.slice(0, 10)
  else if (at === 'ValDt/Dt' || at === 'ValDt/DtTm') entry.valueOn = text.slice(0, 10)
  else if (entryTexts.test(at) && !noName.test(text)) {
    if (at === 'AcctSvcrRef') entry.bankName = text
    entry.texts.push(text)
  }
}

type Facts = Omit<Parameters<ReturnType<typeof makeEntryKeys>>[0], 'account'>

/** The transactions of an entry that holds several, where their amounts add up to it; otherwise the entry as a whole. */
function readEntry(entry: Entry, place: number): Facts[] {
  const whole = amountOf(entry, entry.side, place)
  const bookedOn = entry.bookedOn || entry.valueOn
  if (!/^\d{4}-\d\d-\d\d$/.test(bookedOn)) throw unreadable(place, 'it has no date')
  const common = { bookedOn, currency: entry.currency }
  const parts = entry.details.map((detail) => {
    const isSplit = detail.amount !== '' && detail.currency === entry.currency
    return isSplit ? amountOf(detail, detail.side || entry.side, place) : undefined
  })
  const sum = parts.reduce<bigint>((total, part) => total + (part ?? 0n), 0n)
  if (parts.length > 1 && parts.every((part) => part !== undefined) && sum === whole)
    return entry.details.map((detail, at) => ({
      ...common,
      amountMinor: parts[at] ?? 0n,
      texts: [...detail.texts, ...entry.texts],
      bankName: entry.bankName === '' ? '' : `${entry.bankName} ${at + 1}`,
    }))
  const texts = [...entry.details.flatMap((detail) => detail.texts), ...entry.texts]
  return [{ ...common, amountMinor: whole, texts, bankName: entry.bankName }]
}

function amountOf({ amount, currency }: Transaction, side: string, place: number): bigint {
  const minor = minorOf(amount, currency)
  if (minor === undefined) throw unreadable(place, `its amount is "${amount} ${currency}"`.slice(0, 80))
  if (side !== 'CRDT' && side !== 'DBIT') throw unreadable(place, 'it is neither credit nor debit')
  return side === 'CRDT' ? minor : -minor
}

function unreadable(place: number, why: string): UnreadableStatement {
  return new UnreadableStatement(`Entry ${place} of the file can't be read: ${why}`)
}
