const DATE =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+\- ])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/

const FIRST_YEAR = "0001"

/**
 * Parses an ISO 8601 date to UTC with milliseconds and `Z`; undefined if the text is not a date. A date without a time means midnight,
 * and a time without an offset is UTC. Digits after milliseconds are cut off, as in records, so that a moment before the creation of a
 * record is never after it. A space before an offset is read as a `+` that was not percent-encoded.
 */
export function parseFilterDate(text: string): string | undefined {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [, day, time = "00:00", seconds = "00", fraction = "", sign, hours = "0", minutes = "0"] = match
  const local = `${day}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}Z`
  const moment = Date.parse(local)
  // Date.parse turns 30 February into 2 March.
  if (Number.isNaN(moment) || new Date(moment).toISOString() !== local) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  const utc = new Date(sign === "-" ? moment + offset : moment - offset).toISOString()
  return /^\d{4}-/.test(utc) && utc >= FIRST_YEAR ? utc : undefined
}
