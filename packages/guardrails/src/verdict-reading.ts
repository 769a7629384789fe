import type { JudgeFamily, Unreadable, Verdict } from "@assay/schemas"

/** The result of reading a judge's answer: a verdict, or the reason why there is none. */
export type VerdictReading =
  | { readonly verdict: Verdict; readonly unreadable: null; readonly family: JudgeFamily }
  | { readonly verdict: null; readonly unreadable: Unreadable; readonly family: JudgeFamily | null }

/** A judge's answer as a message of a chat completion. */
export interface JudgeMessage {
  readonly content?: unknown
  readonly reasoning?: string | null
  readonly reasoning_content?: string | null
  readonly refusal?: string | null
  readonly finish_reason?: string | null
  /** Tool calls. Their arguments are read as part of the answer. */
  readonly tool_calls?: unknown
  /** The older form of a single call. */
  readonly function_call?: unknown
}

/** The side of the conversation that a rail judges. */
export type RailDirection = "input" | "output"

export interface ParseVerdictOptions {
  /** Default: the family is detected. */
  readonly family?: JudgeFamily | undefined
  /** The side that a verdict belongs to if the answer names none. Default input. */
  readonly direction?: RailDirection | undefined
}

/** Returns what a reading means for a rail. A verdict about the other side only counts as no verdict. */
export function readingForDirection(reading: VerdictReading, direction: RailDirection): VerdictReading {
  if (reading.verdict === null) return reading
  const safety = direction === "input" ? reading.verdict.user_safety : reading.verdict.response_safety
  if (safety !== null) return reading
  return { verdict: null, unreadable: { reason: "no_verdict", raw: reading.verdict.raw }, family: reading.family }
}
