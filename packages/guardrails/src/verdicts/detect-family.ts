import { JUDGE_FAMILIES, type JudgeFamily } from "@assay/schemas"
import { FAMILY_FORMS } from "./families/all-families.ts"
import type { Statement } from "./statements/statement.ts"

/** The families by the first character of their canonical answers, in the order of detection. */
const BY_FIRST: Readonly<Record<string, readonly JudgeFamily[]>> = {
  "{": ["user-safety-json", "flagged-json", "gpt-oss-safeguard"],
  U: ["user-safety-lines"],
  P: ["harm-lines"],
  S: ["qwen3guard"],
  H: ["wildguard", "polyguard"],
  R: ["guardreasoner"],
  A: ["guardreasoner"],
  C: ["sguard"],
  s: ["llama-guard"],
  u: ["llama-guard"],
  "\n": ["llama-guard"],
  "<": ["granite-guardian", "dynaguard", "kanana-safeguard"],
  Y: ["granite-guardian"],
  N: ["granite-guardian"],
  o: ["topic-control"],
}

/** Returns the families whose canonical answers begin with a character, in the order in which they are tried. */
export function familiesBeginningWith(character: string): readonly JudgeFamily[] {
  return BY_FIRST[character] ?? []
}

/** Families of answers without keys, in the order in which they are tried. The first that reads a value wins. */
export const BARE_FAMILIES = [
  "dynaguard",
  "kanana-safeguard",
  "granite-guardian",
  "topic-control",
  "llama-guard",
  "tool-safety",
  "sguard",
] as const

/** PolyGuard has the keys of WildGuard, and the categories of each side. */
const POLYGUARD = /(?:request|response) safety violations/i

/** Returns the family of the first statement in its form. */
export function detectKeyed(statements: readonly Statement[], text: string): JudgeFamily | undefined {
  const first = statements.find(({ isAnchored }) => isAnchored)
  if (first === undefined) return undefined
  if (first.group === "wildguard") return POLYGUARD.test(text) ? "polyguard" : "wildguard"
  if (first.group === "user-safety") return first.isJson ? "user-safety-json" : "user-safety-lines"
  return JUDGE_FAMILIES.find((family) => FAMILY_FORMS[family].group === first.group)
}
