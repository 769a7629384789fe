import type { JudgeFamily } from "@assay/schemas"

/** Codes and names of the kinds of harm of one family. */
export type CategoryTable = Readonly<Record<string, string>>

/** Aegis 2.0, which NemoGuard and Nemotron content safety are trained on. */
export const AEGIS: CategoryTable = {
  S1: "Violence",
  S2: "Sexual",
  S3: "Criminal Planning/Confessions",
  S4: "Guns and Illegal Weapons",
  S5: "Controlled/Regulated Substances",
  S6: "Suicide and Self Harm",
  S7: "Sexual (minor)",
  S8: "Hate/Identity Hate",
  S9: "PII/Privacy",
  S10: "Harassment",
  S11: "Threat",
  S12: "Profanity",
  S13: "Needs Caution",
  S14: "Other",
  S15: "Manipulation",
  S16: "Fraud/Deception",
  S17: "Malware",
  S18: "High Risk Gov Decision Making",
  S19: "Political/Misinformation/Conspiracy",
  S20: "Copyright/Trademark/Plagiarism",
  S21: "Unauthorized Advice",
  S22: "Illegal Activity",
  S23: "Immoral/Unethical",
}

/** Llama Guard 3 and 4, after the hazards of MLCommons. */
export const LLAMA_GUARD: CategoryTable = {
  S1: "Violent Crimes",
  S2: "Non-Violent Crimes",
  S3: "Sex-Related Crimes",
  S4: "Child Sexual Exploitation",
  S5: "Defamation",
  S6: "Specialized Advice",
  S7: "Privacy",
  S8: "Intellectual Property",
  S9: "Indiscriminate Weapons",
  S10: "Hate",
  S11: "Suicide & Self-Harm",
  S12: "Sexual Content",
  S13: "Elections",
  S14: "Code Interpreter Abuse",
}

/** Qwen3Guard has only names. Each name is its own code. */
const QWEN3GUARD: CategoryTable = named(
  "Violent",
  "Non-violent Illegal Acts",
  "Sexual Content or Sexual Acts",
  "PII",
  "Suicide & Self-Harm",
  "Unethical Acts",
  "Politically Sensitive Topics",
  "Copyright Violation",
  "Jailbreak",
)

/** The risks that Granite Guardian can judge, one at a time. */
const GRANITE_GUARDIAN: CategoryTable = {
  harm: "Harm",
  social_bias: "Social Bias",
  jailbreak: "Jailbreaking",
  violence: "Violence",
  profanity: "Profanity",
  sexual_content: "Sexual Content",
  unethical_behavior: "Unethical Behavior",
  harm_engagement: "Harm Engagement",
  evasiveness: "Evasiveness",
  context_relevance: "Context Relevance",
  groundedness: "Groundedness",
  answer_relevance: "Answer Relevance",
  function_call: "Function Calling Hallucination",
}

/** The policies that a prompt can give ShieldGemma, one at a time. */
const SHIELDGEMMA: CategoryTable = named(
  "Dangerous Content",
  "Harassment",
  "Hate Speech",
  "Sexually Explicit Information",
)

/** The three models of Kanana Safeguard: harm (S), legal risk (I), attacks on prompts (A). */
const KANANA_SAFEGUARD: CategoryTable = {
  S1: "Hate",
  S2: "Harassment",
  S3: "Sexual Content",
  S4: "Crime",
  S5: "Child Sexual Abuse",
  S6: "Self-Harm",
  S7: "Misinformation",
  I1: "Adult Authentication",
  I2: "Professional Advice",
  I3: "Personal Information",
  I4: "Intellectual Property",
  A1: "Prompt Injection",
  A2: "Prompt Leaking",
}

/** SGuard rates each of these. */
export const SGUARD: CategoryTable = named("Crime", "Manipulation", "Privacy", "Sexual", "Violence")

const NONE: CategoryTable = {}

/** The table of each family's categories. Families without a table list free text or nothing. */
export const CATEGORY_TABLES: Readonly<Record<JudgeFamily, CategoryTable>> = {
  "user-safety-json": AEGIS,
  "user-safety-lines": AEGIS,
  "harm-lines": AEGIS,
  "llama-guard": LLAMA_GUARD,
  qwen3guard: QWEN3GUARD,
  wildguard: NONE,
  "granite-guardian": GRANITE_GUARDIAN,
  shieldgemma: SHIELDGEMMA,
  "self-check": NONE,
  "topic-control": NONE,
  "flagged-json": NONE,
  "tool-safety": NONE,
  polyguard: LLAMA_GUARD,
  guardreasoner: NONE,
  dynaguard: NONE,
  "kanana-safeguard": KANANA_SAFEGUARD,
  sguard: SGUARD,
  "gpt-oss-safeguard": NONE,
}

function named(...names: readonly string[]): CategoryTable {
  return Object.fromEntries(names.map((name) => [name, name]))
}

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
      polyguard: llamaGuard,
      qwen3guard,
      "granite-guardian": graniteGuardian,
      shieldgemma,
    },
  }
}
