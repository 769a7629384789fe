const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const

/** Returns the time between two moments in milliseconds: `3 hours ago`, `just now`, `in 2 days`. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1000)
  const size = Math.abs(seconds)
  const unit = UNITS.find(([, length]) => size >= length)
  if (unit === undefined) return seconds < -5 ? "in a moment" : "just now"
  const [name, length] = unit
  const count = Math.floor(size / length)
  const text = `${count} ${name}${count === 1 ? "" : "s"}`
  return seconds < 0 ? `in ${text}` : `${text} ago`
}
