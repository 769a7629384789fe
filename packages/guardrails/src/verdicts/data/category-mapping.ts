import type { JudgeFamily } from "@assay/schemas"

/** One kind of harm, and its codes or names in each family. */
export interface HarmConcept {
  readonly concept: string
  readonly codes: Readonly<Partial<Record<JudgeFamily, readonly string[]>>>
}

/** Categories of different families that mean nearly the same. Families divide the field differently, so they are not equal. */
export const HARM_CONCEPTS: readonly HarmConcept[] = [
  concept("violence", ["S1", "S11"], ["S1"], ["Violent"], ["violence"], ["Dangerous Content"]),
  concept("weapons", ["S4"], ["S9"], ["Violent"], ["violence"], ["Dangerous Content"]),
  concept("crime", ["S3", "S22"], ["S2"], ["Non-violent Illegal Acts"], ["unethical_behavior"], ["Dangerous Content"]),
  concept("drugs", ["S5"], ["S2"], ["Non-violent Illegal Acts"], ["unethical_behavior"], ["Dangerous Content"]),
  concept("fraud", ["S16"], ["S2"], ["Non-violent Illegal Acts"], ["unethical_behavior"], ["Dangerous Content"]),
  concept(
    "malware",
    ["S17"],
    ["S2", "S14"],
    ["Non-violent Illegal Acts"],
    ["unethical_behavior"],
    ["Dangerous Content"],
  ),
  concept(
    "sexual",
    ["S2"],
    ["S12"],
    ["Sexual Content or Sexual Acts"],
    ["sexual_content"],
    ["Sexually Explicit Information"],
  ),
  concept(
    "sexual-minor",
    ["S7"],
    ["S4"],
    ["Sexual Content or Sexual Acts"],
    ["sexual_content"],
    ["Sexually Explicit Information"],
  ),
  concept("self-harm", ["S6"], ["S11"], ["Suicide & Self-Harm"], ["harm"], ["Dangerous Content"]),
  concept("hate", ["S8"], ["S10"], ["Unethical Acts"], ["social_bias"], ["Hate Speech"]),
  concept("harassment", ["S10", "S11"], ["S10"], ["Unethical Acts"], ["harm"], ["Harassment"]),
  concept("privacy", ["S9"], ["S7"], ["PII"], [], []),
  concept("profanity", ["S12"], [], [], ["profanity"], []),
  concept("misinformation", ["S19"], ["S5", "S13"], ["Politically Sensitive Topics"], [], []),
  concept("intellectual-property", ["S20"], ["S8"], ["Copyright Violation"], [], []),
  concept("advice", ["S21"], ["S6"], [], [], []),
  concept("unethical", ["S23"], [], ["Unethical Acts"], ["unethical_behavior"], []),
  concept("jailbreak", ["S15"], [], ["Jailbreak"], ["jailbreak"], []),
]

function concept(
  name: string,
  aegis: readonly string[],
  llamaGuard: readonly string[],
  qwen3guard: readonly string[],
  graniteGuardian: readonly string[],
  shieldgemma: readonly string[],
): HarmConcept {
  return {
    concept: name,
    codes: {
      "user-safety-json": aegis,
      "user-safety-lines": aegis,
      "harm-lines": aegis,
      "llama-guard": llamaGuard,
      qwen3guard,
      "granite-guardian": graniteGuardian,
      shieldgemma,
    },
  }
}
