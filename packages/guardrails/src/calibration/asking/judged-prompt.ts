import type { CheckedPrompt, CheckedRail } from "../../judge.ts"

/** How a candidate judged a prompt once. Only `block` and `pass` are verdicts. */
export interface JudgedPrompt {
  readonly outcome: "pass" | "block" | "unreadable" | "error"
  /** Why there is no verdict: the reason of an unreadable answer, or the code of an error. */
  readonly reason?: string
  readonly message?: string
  /** Whether the policies of the rails would let the text through. */
  readonly is_let_through: boolean
  /** How sure the judge is that the text is harmful, 0 to 1. */
  readonly score?: number
  /** The probability of harm by the log-probabilities of the verdict, if exactly one judge was asked and returned them. */
  readonly risk?: number
  /** The answer of the judge, at most 2,000 characters. */
  readonly raw?: string
  readonly latency_ms: number
  /** Calls of models, and calls that an ensemble saved. */
  readonly calls: { readonly made: number; readonly saved: number }
  readonly tokens: { readonly prompt: number; readonly completion: number } | null
}

const MAX_RAW = 2_000

/**
 * Reduces the results of all rails to one: `block` if any rail blocks, else `error` if any rail failed, else `unreadable` if
 * any answer was unreadable, else `pass`. A `controversial` verdict under the policy `error` counts as a block, because
 * nothing is let through.
 */
export function reduceCheck(check: CheckedPrompt): JudgedPrompt {
  const { rails } = check
  const decisive =
    rails.find((one) => outcomeOf(one) === "block") ??
    rails.find((one) => outcomeOf(one) === "error") ??
    rails.find((one) => outcomeOf(one) === "unreadable")
  const outcome = decisive === undefined ? "pass" : outcomeOf(decisive)
  const raw = joinRawAnswers(decisive === undefined ? rails : [decisive])
  const scores = rails.flatMap(({ rail }) => rail.verdict?.score ?? [])
  return {
    outcome,
    ...(outcome === "error" ? { reason: decisive?.rail.error?.code, message: decisive?.rail.error?.message } : {}),
    ...(outcome === "unreadable" ? { reason: decisive?.rail.unreadable?.reason } : {}),
    is_let_through: check.status === "success",
    ...(scores.length === 0 ? {} : { score: Math.max(...scores) }),
    ...riskOf(rails),
    ...(raw === "" ? {} : { raw }),
    // Rails run in parallel, so a user waits for the slowest.
    latency_ms: rails.reduce((longest, { rail }) => Math.max(longest, rail.latency_ms), 0),
    calls: {
      made: rails.reduce((sum, { answers }) => sum + answers.length, 0),
      saved: rails.reduce((sum, { rail }) => sum + (rail.calls_saved ?? 0), 0),
    },
    tokens: tokensOf(rails),
  } as JudgedPrompt
}

/** Returns the risk of one judge. Several judges have no common risk. */
function riskOf(rails: readonly CheckedRail[]): Pick<JudgedPrompt, "risk"> {
  const [answer, ...others] = rails.flatMap(({ answers }) => answers)
  return answer?.risk === undefined || others.length > 0 ? {} : { risk: answer.risk }
}

function outcomeOf({ rail }: CheckedRail): JudgedPrompt["outcome"] {
  if (rail.error !== null) return "error"
  if (rail.unreadable !== null) return "unreadable"
  return rail.status === "success" ? "pass" : "block"
}

function joinRawAnswers(rails: readonly CheckedRail[]): string {
  const texts = rails.flatMap(({ rail, answers }) => {
    const own = answers.flatMap(({ raw }) => raw ?? [])
    return own.length > 0 ? own : [rail.verdict?.raw ?? rail.unreadable?.raw ?? ""]
  })
  return texts.join("\n").slice(0, MAX_RAW)
}

/** Returns the tokens of all answers. Null: those of one are not known. */
function tokensOf(rails: readonly CheckedRail[]): JudgedPrompt["tokens"] {
  const usages = rails.flatMap(({ answers }) => answers.map(({ usage }) => usage))
  let prompt = 0
  let completion = 0
  for (const usage of usages) {
    const { prompt_tokens, completion_tokens } = usage ?? UNKNOWN
    if (prompt_tokens === null || completion_tokens === null) return null
    prompt += prompt_tokens
    completion += completion_tokens
  }
  return usages.length === 0 ? null : { prompt, completion }
}

const UNKNOWN = { prompt_tokens: null, completion_tokens: null }
