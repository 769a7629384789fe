import type { JudgeFamily, Unreadable, Verdict } from "@assay/schemas"

/** What was found in a judge's answer: a verdict, or why there is none. */
export type VerdictReading =
  | { readonly verdict: Verdict; readonly unreadable: null; readonly family: JudgeFamily }
  | { readonly verdict: null; readonly unreadable: Unreadable; readonly family: JudgeFamily | null }

/** A judge's answer with what tells how it came about. */
export interface JudgeMessage {
  readonly content?: unknown
  readonly reasoning?: string | null
  readonly reasoning_content?: string | null
  readonly refusal?: string | null
  readonly finish_reason?: string | null
  /** Calls of tools: their arguments are read as part of the answer. */
  readonly tool_calls?: unknown
  /** The older form of one call. */
  readonly function_call?: unknown
}

/** Which side of the conversation a rail looks at. */
export type RailPlace = "input" | "output"

export interface ParseVerdictOptions {
  /** Absent: detected. */
  readonly family?: JudgeFamily
  /** What an answer that names no side is about. Default input. */
  readonly place?: RailPlace
}

/** What a reading is to a rail: a verdict about the other side alone is none, and never stands in for the missing one. */
export function readingForPlace(reading: VerdictReading, place: RailPlace): VerdictReading {
  if (reading.verdict === null) return reading
  const safety = place === "input" ? reading.verdict.user_safety : reading.verdict.response_safety
  if (safety !== null) return reading
  return { verdict: null, unreadable: { reason: "no_verdict", raw: reading.verdict.raw }, family: reading.family }
}
