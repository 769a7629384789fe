/** Seconds of 400 years, after which the calendar repeats. */
const CYCLE = 12_622_780_800n
/** The last second of JavaScript's dates, and with a minus the first one. */
const MAX_SECOND = 8_640_000_000_000n
const SECONDS_OF_DAY = 86_400n

/** Formats a time in UTC by ISO 8601. `time` is in units of 10^-digits seconds since 1970. Years outside 0 to 9999 have a sign and at least six digits. */
export function isoTime(time: bigint | number, digits: number): string {
  const { seconds, fraction } = splitTime(BigInt(time), digits)
  const isLater = seconds > MAX_SECOND || seconds < -MAX_SECOND
  const cycles = isLater ? floorOf(seconds, CYCLE) : 0n
  const whole = new Date(Number(seconds - cycles * CYCLE) * 1000).toISOString()
  const dated = isLater ? `${yearText(BigInt(whole.slice(0, 4)) + 400n * cycles)}${whole.slice(4)}` : whole
  return digits === 0 ? dated : dated.replace(/000Z$/, `${fraction}Z`)
}

/** Formats a day. `days` are counted from 1970-01-01. */
export function isoDate(days: bigint | number): string {
  return isoTime(BigInt(days) * SECONDS_OF_DAY, 0).replace(/T.*$/, "")
}

/** Formats a time of day as `hh:mm:ss` with its fraction. `time` is in units of 10^-digits seconds since midnight. */
export function timeOfDay(time: bigint | number, digits: number): string {
  const { seconds, fraction } = splitTime(BigInt(time), digits)
  const two = (part: bigint) => String(part).padStart(2, "0")
  const hours = floorOf(seconds, 3600n)
  const within = seconds - 3600n * hours
  return `${two(hours)}:${two(within / 60n)}:${two(within % 60n)}.${fraction}`
}

/** Formats an interval of Parquet by ISO 8601: months, days and milliseconds as three 32-bit numbers. Undefined for other bytes. */
export function isoInterval(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 12) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [months, days, milliseconds] = [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)]
  const date = `${months === 0 ? "" : `${months}M`}${days === 0 ? "" : `${days}D`}`
  return `P${date}${milliseconds === 0 && date !== "" ? "" : `T${milliseconds / 1000}S`}`
}

function splitTime(time: bigint, digits: number): { readonly seconds: bigint; readonly fraction: string } {
  const unit = 10n ** BigInt(digits)
  const seconds = floorOf(time, unit)
  return { seconds, fraction: String(time - seconds * unit).padStart(digits, "0") }
}

function floorOf(value: bigint, divisor: bigint): bigint {
  return (value - (((value % divisor) + divisor) % divisor)) / divisor
}

function yearText(year: bigint): string {
  return `${year < 0n ? "-" : "+"}${String(year < 0n ? -year : year).padStart(6, "0")}`
}
