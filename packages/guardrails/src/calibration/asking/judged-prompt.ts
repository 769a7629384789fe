import type { CheckedPrompt, CheckedRail } from "../judge.ts"
import type { JudgedPrompt } from "./judged-prompt.ts"

const MAX_RAW = 2_000

/**
 * What the rails of a configuration say together: one block is a block; else one error leaves it open, then one unreadable
 * answer; and only where all rails let it pass it is a pass. A `controversial` under the policy `error` counts as a block,
 * since nothing is let through.
 */
export function reduceCheck(check: CheckedPrompt): JudgedPrompt {
  const { rails } = check
  const decisive =
    rails.find((one) => outcomeOf(one) === "block") ??
    rails.find((one) => outcomeOf(one) === "error") ??
    rails.find((one) => outcomeOf(one) === "unreadable")
  const outcome = decisive === undefined ? "pass" : outcomeOf(decisive)
  const raw = textOf(decisive === undefined ? rails : [decisive])
  const scores = rails.flatMap(({ rail }) => rail.verdict?.score ?? [])
  return {
    outcome,
    ...(outcome === "error" ? { reason: decisive?.rail.error?.code, message: decisive?.rail.error?.message } : {}),
    ...(outcome === "unreadable" ? { reason: decisive?.rail.unreadable?.reason } : {}),
    is_let_through: check.status === "success",
    ...(scores.length === 0 ? {} : { score: Math.max(...scores) }),
    ...(raw === "" ? {} : { raw }),
    // Rails run side by side, so the slowest is what a user waits for.
    latency_ms: rails.reduce((longest, { rail }) => Math.max(longest, rail.latency_ms), 0),
    calls: {
      made: rails.reduce((sum, { answers }) => sum + answers.length, 0),
      saved: rails.reduce((sum, { rail }) => sum + (rail.calls_saved ?? 0), 0),
    },
    tokens: tokensOf(rails),
  } as JudgedPrompt
}

function outcomeOf({ rail }: CheckedRail): JudgedPrompt["outcome"] {
  if (rail.error !== null) return "error"
  if (rail.unreadable !== null) return "unreadable"
  return rail.status === "success" ? "pass" : "block"
}

function textOf(rails: readonly CheckedRail[]): string {
  const texts = rails.flatMap(({ rail, answers }) => {
    const own = answers.flatMap(({ raw }) => raw ?? [])
    return own.length > 0 ? own : [rail.verdict?.raw ?? rail.unreadable?.raw ?? ""]
  })
  return texts.join("\n").slice(0, MAX_RAW)
}

function tokensOf(rails: readonly CheckedRail[]): JudgedPrompt["tokens"] {
  let found = false
  let prompt = 0
  let completion = 0
  for (const { answers } of rails) {
    for (const { usage } of answers) {
      if (usage === null) continue
      found = true
      prompt += usage.prompt_tokens
      completion += usage.completion_tokens
    }
  }
  return found ? { prompt, completion } : null
}
