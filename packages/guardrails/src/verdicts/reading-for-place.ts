import type { RailPlace, VerdictReading } from "../verdict-reading.ts"

/** What a reading is to a rail: a verdict about the other side alone is none, and never stands in for the missing one. */
export function readingForPlace(reading: VerdictReading, place: RailPlace): VerdictReading {
  if (reading.verdict === null) return reading
  const safety = place === "input" ? reading.verdict.user_safety : reading.verdict.response_safety
  if (safety !== null) return reading
  return { verdict: null, unreadable: { reason: "no_verdict", raw: reading.verdict.raw }, family: reading.family }
}
