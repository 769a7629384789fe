import type { TokenLogprob } from "@assay/inference"
import { riskProbability } from "@assay/metrics"
import type { JudgeFamily } from "@assay/schemas"
import type { RailDirection } from "../../verdict-reading.ts"

/** The words of a family's verdict, and the key before them on each side. Null: there is no key. */
interface VerdictForm {
  readonly risk: string
  readonly safe: string
  readonly keys: Readonly<Record<RailDirection, string>> | null
}

const SAFE_OR_UNSAFE = { risk: "unsafe", safe: "safe" }
const YES_OR_NO = { risk: "yes", safe: "no", keys: null }
const USER_SAFETY = { ...SAFE_OR_UNSAFE, keys: { input: "user safety", output: "response safety" } }

const WILDGUARD = { risk: "yes", safe: "no", keys: { input: "harmful request", output: "harmful response" } }

const FORMS: Readonly<Record<JudgeFamily, VerdictForm>> = {
  "user-safety-json": USER_SAFETY,
  "user-safety-lines": USER_SAFETY,
  "harm-lines": { risk: "harmful", safe: "unharmful", keys: { input: "prompt harm", output: "response harm" } },
  "llama-guard": { ...SAFE_OR_UNSAFE, keys: null },
  qwen3guard: { ...SAFE_OR_UNSAFE, keys: { input: "safety", output: "safety" } },
  wildguard: WILDGUARD,
  "granite-guardian": YES_OR_NO,
  shieldgemma: YES_OR_NO,
  "self-check": YES_OR_NO,
  "topic-control": { risk: "offtopic", safe: "ontopic", keys: null },
  "flagged-json": { risk: "true", safe: "false", keys: { input: "flagged", output: "flagged" } },
  "tool-safety": { ...SAFE_OR_UNSAFE, keys: null },
  polyguard: WILDGUARD,
  guardreasoner: { risk: "harmful", safe: "unharmful", keys: { input: "request", output: "response" } },
  dynaguard: { risk: "fail", safe: "pass", keys: null },
  "kanana-safeguard": { ...SAFE_OR_UNSAFE, keys: null },
  // Several words, and digits, are the verdict of these. Their risk is not read from tokens.
  sguard: { ...SAFE_OR_UNSAFE, keys: { input: "", output: "" } },
  "gpt-oss-safeguard": { risk: "1", safe: "0", keys: { input: "violation", output: "violation" } },
}

/** The risk that a judge sees, and the word that it wrote. */
export interface VerdictRisk {
  /** From 0 to 1: the share of the blocking word among both words. */
  readonly risk: number
  readonly said: "unsafe" | "safe"
}

/**
 * Returns the risk that a judge sees, from the log-probabilities of the first token of its verdict. Returns null if that token is not
 * found.
 */
export function verdictRisk(
  tokens: readonly TokenLogprob[],
  family: JudgeFamily,
  direction: RailDirection,
): VerdictRisk | null {
  const form = FORMS[family]
  const key = form.keys?.[direction] ?? ""
  let before = ""
  for (const token of tokens) {
    const side = isVerdictPosition(before, key) ? sideOf(token.token, form) : null
    if (side !== null) {
      const risk = riskOf(token, form)
      return risk === null ? null : { risk, said: side === "risk" ? "unsafe" : "safe" }
    }
    before += token.token
  }
  return null
}

/** Returns whether a verdict can begin after `before`: after its key, or if there are only marks before it outside of reasoning. */
function isVerdictPosition(before: string, key: string): boolean {
  if (key === "") return !/[a-z]/i.test((before.split("</think>").at(-1) ?? "").replaceAll(/<[a-z]+>/gi, ""))
  const end = before.slice(-60).toLowerCase()
  return end.replaceAll(/[\s"'{_*]+/g, "").endsWith(`${key.replaceAll(" ", "")}:`)
}

/** Returns which of the two words a token begins, or null if it begins neither or both. */
function sideOf(token: string, { risk, safe }: VerdictForm): "risk" | "safe" | null {
  const letters = token.toLowerCase().replaceAll(/[^a-z]/g, "")
  if (letters.length < 2) return null
  if (risk.startsWith(letters)) return safe.startsWith(letters) ? null : "risk"
  return safe.startsWith(letters) ? "safe" : null
}

/**
 * Returns the share of the blocking word among both words. If only one of them is among the listed tokens, the other one has at most
 * the probability that all listed tokens leave over, and gets it: a word that is not listed is not impossible.
 */
function riskOf(token: TokenLogprob, form: VerdictForm): number | null {
  const all = token.top.some((each) => each.token === token.token) ? token.top : [token, ...token.top]
  const massOf = (tokens: readonly { readonly logprob: number }[]) =>
    tokens.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)
  const rest = Math.max(0, 1 - massOf(all))
  const logprobOf = (side: "risk" | "safe") => {
    const listed = all.filter((each) => sideOf(each.token, form) === side)
    const mass = listed.length === 0 ? rest : massOf(listed)
    return mass === 0 ? null : Math.log(mass)
  }
  const risk = riskProbability(logprobOf("risk"), logprobOf("safe"))
  // Log-probabilities come from others: what is not a number must not compare as a small risk.
  return risk === null || Number.isNaN(risk) ? null : risk
}
