import { AssayError } from "@assay/schemas/errors"

const MINUTE_MS = 60_000
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS }

/** Milliseconds of a span such as `90d`, `12h` or `30m`. @throws `bad_usage` */
export function parseSpan(text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
  const milliseconds = UNITS[unit]
  if (milliseconds !== undefined) return Number(count) * milliseconds
  throw new AssayError("bad_usage", `--expires '${text}' is no span of time: write it like 90d, 12h or 30m.`)
}
