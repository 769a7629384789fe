import { Type } from "@sinclair/typebox"

/** UTC, ISO 8601 with milliseconds and `Z`: `2026-11-20T08:14:03.120Z`. */
export const Timestamp = Type.String({ format: "date-time", examples: ["2026-11-20T08:14:03.120Z"] })

/** A point in time as every record writes it. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
