import type { TokenLogprob } from "@assay/inference"
import { riskProbability } from "@assay/metrics"
import type { JudgeFamily } from "@assay/schemas"
import type { RailPlace } from "../../verdict-reading.ts"

/** The words of a family's verdict, and after which key they stand on each side; null where they stand alone. */
interface VerdictForm {
  readonly risk: string
  readonly safe: string
  readonly keys: Readonly<Record<RailPlace, string>> | null
}

const SAFE_OR_UNSAFE = { risk: "unsafe", safe: "safe" }
const YES_OR_NO = { risk: "yes", safe: "no", keys: null }
const USER_SAFETY = { ...SAFE_OR_UNSAFE, keys: { input: "user safety", output: "response safety" } }

const FORMS: Readonly<Record<JudgeFamily, VerdictForm>> = {
  "user-safety-json": USER_SAFETY,
  "user-safety-lines": USER_SAFETY,
  "harm-lines": { risk: "harmful", safe: "unharmful", keys: { input: "prompt harm", output: "response harm" } },
  "llama-guard": { ...SAFE_OR_UNSAFE, keys: null },
  qwen3guard: { ...SAFE_OR_UNSAFE, keys: { input: "safety", output: "safety" } },
  wildguard: { risk: "yes", safe: "no", keys: { input: "harmful request", output: "harmful response" } },
  "granite-guardian": YES_OR_NO,
  shieldgemma: YES_OR_NO,
  "self-check": YES_OR_NO,
  "topic-control": { risk: "offtopic", safe: "ontopic", keys: null },
  "flagged-json": { risk: "true", safe: "false", keys: { input: "flagged", output: "flagged" } },
  "tool-safety": { ...SAFE_OR_UNSAFE, keys: null },
}

/**
 * The risk that a judge sees, from the log-probabilities of the token that begins its verdict: 0 to 1, the share of the word that
 * blocks among both words. Null where that token is not found.
 */
export function verdictRisk(tokens: readonly TokenLogprob[], family: JudgeFamily, place: RailPlace): number | null {
  const form = FORMS[family]
  const key = form.keys?.[place] ?? ""
  let before = ""
  for (const token of tokens) {
    if (isVerdictPlace(before, key) && sideOf(token.token, form) !== null) return riskOf(token, form)
    before += token.token
  }
  return null
}

/** Whether a verdict may begin after `before`: behind its key, or where nothing but marks was said outside of reasoning. */
function isVerdictPlace(before: string, key: string): boolean {
  if (key === "") return !/[a-z]/i.test((before.split("</think>").at(-1) ?? "").replaceAll(/<[a-z]+>/gi, ""))
  const end = before.slice(-60).toLowerCase()
  return end.replaceAll(/[\s"'{_*]+/g, "").endsWith(`${key.replaceAll(" ", "")}:`)
}

/** Which of the two words a token begins; null for neither, or for what both begin with. */
function sideOf(token: string, { risk, safe }: VerdictForm): "risk" | "safe" | null {
  const letters = token.toLowerCase().replaceAll(/[^a-z]/g, "")
  if (letters.length < 2) return null
  if (risk.startsWith(letters)) return safe.startsWith(letters) ? null : "risk"
  return safe.startsWith(letters) ? "safe" : null
}

function riskOf(token: TokenLogprob, form: VerdictForm): number | null {
  const all = token.top.some((each) => each.token === token.token) ? token.top : [token, ...token.top]
  const logprobOf = (side: "risk" | "safe") => {
    const mass = all
      .filter((each) => sideOf(each.token, form) === side)
      .reduce((sum, each) => sum + Math.exp(each.logprob), 0)
    return mass === 0 ? null : Math.log(mass)
  }
  return riskProbability(logprobOf("risk"), logprobOf("safe"))
}
