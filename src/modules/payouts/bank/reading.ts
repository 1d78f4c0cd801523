// The rows of a bank's file that were not read, for the person who uploaded it.

export type UnreadRow = {
  /** `line 12`; `entry 3` of a camt.053. */
  readonly place: string
  readonly why: string
}

export type Reading = {
  /** The first thousand of them. */
  readonly unread: UnreadRow[]
  unreadCount: number
  /** All dates of the file could be either way round: `01/02/2026` was read as 1 February. */
  isDayFirstAssumed: boolean
}

const listedMax = 1_000

export function makeReading(): Reading {
  return { unread: [], unreadCount: 0, isDayFirstAssumed: false }
}

export function noteUnread(reading: Reading, place: string, why: string): void {
  reading.unreadCount += 1
  if (reading.unread.length < listedMax) reading.unread.push({ place, why })
}

/** Undefined: all of it was read, and nothing was assumed. */
export function describeReading({ unread, unreadCount, isDayFirstAssumed }: Reading): string | undefined {
  const rows = unreadCount === 1 ? '1 row was' : `${unreadCount.toLocaleString('en-GB')} rows were`
  const some =
    unread.length < unreadCount
      ? `, of which the first ${unread.length.toLocaleString('en-GB')} are listed`
      : ''
  const said = [
    unreadCount > 0 && `${rows} not read${some}.`,
    isDayFirstAssumed &&
      'Every date of the file can be read with the day or the month first: 01/02/2026 was read as 1 February 2026.',
  ].filter((sentence) => sentence !== false)
  return said.length === 0 ? undefined : said.join(' ')
}

const quotedMax = 40

export function quoted(text: string): string {
  return `“${text.slice(0, quotedMax).toWellFormed()}${text.length > quotedMax ? '…' : ''}”`
}
