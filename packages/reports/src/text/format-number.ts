const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]

/** Formats an integer: `1,234,567`. */
export function formatInteger(value: number): string {
  // `toLocaleString` takes 30 ms of processor time the first time, to load the language.
  return Number.isSafeInteger(value) ? String(value).replace(/\B(?=(?:\d{3})+$)/g, ",") : value.toLocaleString("en")
}

/** Formats a score with at most 4 significant digits. NaN, null and undefined become `–`. */
export function formatScore(value: number | "NaN" | null | undefined): string {
  if (value === null || value === undefined || value === "NaN") return "–"
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return formatInteger(value)
  const size = Math.abs(value)
  if (size >= 1e9 || size < 1e-4) return value.toExponential(2)
  return size >= 1000 ? formatInteger(Math.round(value)) : String(Number(value.toPrecision(size < 1 ? 3 : 4)))
}

/** Decimals of the largest score of a list: 3 for shares, none from a thousand on. */
const MAX_DECIMALS = 3

/** Returns how scores of one list are written: with equal decimals, as many as the largest of them needs. Scores that are all very small stay as they are. */
export function formatEqualScores(scores: readonly (number | "NaN")[]): typeof formatScore {
  const largest = Math.max(0, ...scores.map((score) => (score === "NaN" ? 0 : Math.abs(score))))
  if (largest < 10 ** -MAX_DECIMALS || largest >= 1e9 || scores.every((score) => Number.isInteger(score)))
    return formatScore
  const decimals = largest >= 1000 ? 0 : MAX_DECIMALS - Math.max(0, Math.floor(Math.log10(largest)))
  return (score) => {
    if (typeof score !== "number") return formatScore(score)
    return decimals === 0 ? formatInteger(Math.round(score)) : score.toFixed(decimals)
  }
}

/** Formats a share between 0 and 1 as a percentage: `7.1 %`. */
export function formatShare(share: number): string {
  const percent = share * 100
  const text = percent === 0 || percent === 100 || percent >= 99.95 ? percent.toFixed(0) : percent.toFixed(1)
  return `${text.replace(/\.0$/, "")} %`
}

/** Formats a number with its noun: `1 file`, `12,000 files`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatInteger(count)} ${count === 1 ? one : many}`
}

/** Formats a number of bytes: `4.0 KiB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  // Without this, rounding would turn a number just below 1 MiB into 1024.0 KiB.
  const [shown, unit] =
    step > 0 && value >= 1023.95 && step < BYTE_UNITS.length - 1 ? [value / 1024, step + 1] : [value, step]
  return `${unit === 0 ? shown : shown.toFixed(1)} ${BYTE_UNITS[unit]}`
}

/** Formats a duration: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, "0")} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`
}
