const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]

/** A number of bytes for people: `4.0 KiB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  // Rounding must not show 1024.0 KiB for what is nearly a MiB.
  const [shown, unit] =
    step > 0 && value >= 1023.95 && step < UNITS.length - 1 ? [value / 1024, step + 1] : [value, step]
  return `${unit === 0 ? shown : shown.toFixed(1)} ${UNITS[unit]}`
}
