import { AssayError, type ErrorCode, type UnreadableReason } from "@assay/schemas"
import type { CalibrationCandidate } from "../calibration/asking/candidate.ts"
import type { CheckedPrompt, PromptToCheck } from "../judge.ts"

/** The judge's answer to a prompt in a script. */
export type ScriptedAnswer =
  | { readonly says: "safe" | "unsafe"; readonly score?: number; readonly raw?: string }
  | { readonly unreadable: UnreadableReason; readonly raw?: string; readonly letThrough?: boolean }
  | { readonly error: ErrorCode }

export interface ScriptedCandidate extends CalibrationCandidate {
  /** The prompts in the order in which they were asked. */
  readonly asked: readonly string[]
}

export interface ScriptedCandidateOptions {
  readonly digest?: string
  readonly delayMs?: number
}

/** Creates a candidate with one rail that answers by a script. `nth` counts how often the prompt was asked before. */
export function scriptedCandidate(
  name: string,
  answerOf: (prompt: PromptToCheck, nth: number) => ScriptedAnswer,
  { digest = name, delayMs = 0 }: ScriptedCandidateOptions = {},
): ScriptedCandidate {
  const asked: string[] = []
  const times = new Map<string, number>()
  return {
    name,
    digest,
    asked,
    async judge(prompt, { signal }) {
      const nth = times.get(prompt.prompt) ?? 0
      times.set(prompt.prompt, nth + 1)
      asked.push(prompt.prompt)
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
      signal.throwIfAborted()
      return checked(answerOf(prompt, nth))
    },
  }
}

function checked(answer: ScriptedAnswer): CheckedPrompt {
  const name = "self check input"
  const usage = { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 }
  const rest = { name, latency_ms: 40, usage }
  const none = { verdict: null, unreadable: null, policy: null, error: null }
  if ("error" in answer) {
    const error = new AssayError(answer.error, `The endpoint said ${answer.error}.`)
    const rail = { ...rest, ...none, status: "unknown" as const, error, usage: null }
    const judged = { flow: name, reading: null, error, raw: null, latencyMs: 1, usage: null }
    return { status: "unknown", rails: [{ rail, answers: [judged] }] }
  }
  const raw = answer.raw ?? ("says" in answer ? answer.says : "I am not sure about that.")
  const judged = { flow: name, reading: null, error: null, raw, latencyMs: 40, usage }
  if ("unreadable" in answer) {
    const status = answer.letThrough === true ? ("success" as const) : ("blocked" as const)
    const rail = { ...rest, ...none, status, unreadable: { reason: answer.unreadable, raw } }
    return { status, rails: [{ rail, answers: [judged] }] }
  }
  const score = answer.score === undefined ? {} : { score: answer.score }
  const verdict = {
    user_safety: answer.says,
    response_safety: null,
    categories: [],
    reading: "exact" as const,
    raw,
    ...score,
  }
  const status = answer.says === "safe" ? ("success" as const) : ("blocked" as const)
  return { status, rails: [{ rail: { ...rest, ...none, status, verdict }, answers: [judged] }] }
}
