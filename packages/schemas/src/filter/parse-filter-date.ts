const DATE =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+\- ])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/

const FIRST_YEAR = "0001"

/**
 * The moment that an ISO 8601 text names, in UTC with milliseconds and `Z`; undefined where it names none. A bare date is
 * its midnight, and a time without an offset is UTC. Finer digits are cut off, as they are in records, so that a moment
 * taken before a record was made does not come to lie after it. The space in front of an offset is a `+` that was not
 * percent-encoded.
 */
export function parseFilterDate(text: string): string | undefined {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [, day, time = "00:00", seconds = "00", fraction = "", sign, hours = "0", minutes = "0"] = match
  const local = `${day}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}Z`
  const moment = Date.parse(local)
  // Date.parse carries 30 February over into March.
  if (Number.isNaN(moment) || new Date(moment).toISOString() !== local) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  const utc = new Date(sign === "-" ? moment + offset : moment - offset).toISOString()
  return /^\d{4}-/.test(utc) && utc >= FIRST_YEAR ? utc : undefined
}
