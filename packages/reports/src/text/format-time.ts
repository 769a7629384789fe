const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Older times are dates. */
const MAX_DAYS = 30

/**
 * Formats a time for people, such as `3 h ago`, or its date if it is more than 30 days ago or in the future.
 * @param time ISO 8601
 * @param now milliseconds since 1970; if it is absent, the time is returned as it is
 */
export function formatTime(time: string, now: number | undefined): string {
  const at = Date.parse(time)
  if (now === undefined || Number.isNaN(at)) return time
  const ago = now - at
  if (ago < -MINUTE_MS || ago > MAX_DAYS * DAY_MS) return time.slice(0, "2026-11-20".length)
  if (ago < MINUTE_MS) return "just now"
  if (ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)} min ago`
  return ago < DAY_MS ? `${Math.floor(ago / HOUR_MS)} h ago` : `${Math.floor(ago / DAY_MS)} d ago`
}
