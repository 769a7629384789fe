import { Type, type Static } from "@sinclair/typebox"
import { enumeration } from "../records/field-types.ts"

const SAFETY_VALUES = ["safe", "unsafe", "controversial"] as const
export type Safety = (typeof SAFETY_VALUES)[number]

/** The families of judges, which differ in the form of their answers. */
export const JUDGE_FAMILIES = [
  "user-safety-json",
  "user-safety-lines",
  "harm-lines",
  "llama-guard",
  "qwen3guard",
  "wildguard",
  "granite-guardian",
  "shieldgemma",
  "self-check",
  "topic-control",
  "flagged-json",
  "tool-safety",
  "polyguard",
  "guardreasoner",
  "dynaguard",
  "kanana-safeguard",
  "sguard",
  "gpt-oss-safeguard",
] as const
export type JudgeFamily = (typeof JUDGE_FAMILIES)[number]

/** The reasons why an answer has no verdict. */
const UNREADABLE_REASONS = [
  "empty",
  "no_verdict",
  "unknown_value",
  "contradictory",
  "truncated",
  "reasoning_only",
  "refusal",
  "content_filter",
  "no_score",
  "not_shown",
] as const
export type UnreadableReason = (typeof UNREADABLE_REASONS)[number]

const SafetyOrNull = Type.Union([enumeration(SAFETY_VALUES), Type.Null()])

/** A kind of harm that a judge names. The same code has different meanings in different families. */
export const VerdictCategory = Type.Object(
  {
    raw: Type.String({ description: "As the judge wrote it." }),
    code: Type.Optional(Type.String({ examples: ["S3"] })),
    name: Type.Optional(Type.String({ examples: ["Criminal Planning/Confessions"] })),
    family: enumeration(JUDGE_FAMILIES),
  },
  { $id: "VerdictCategory" },
)
export type VerdictCategory = Static<typeof VerdictCategory>

/** The verdict in a judge's answer. */
export const Verdict = Type.Object(
  {
    user_safety: SafetyOrNull,
    response_safety: SafetyOrNull,
    categories: Type.Array(VerdictCategory),
    reading: enumeration(["exact", "lenient"] as const, {
      description: "exact: the answer had exactly the form of the family.",
    }),
    score: Type.Optional(Type.Number({ description: "How certain of harm the judge says it is, 0 to 1." })),
    reasoning: Type.Optional(Type.String()),
    raw: Type.String(),
  },
  { $id: "Verdict" },
)
export type Verdict = Static<typeof Verdict>

/** An answer without a verdict. It is neither safe nor unsafe; the policy of the rail decides. */
export const Unreadable = Type.Object(
  {
    reason: enumeration(UNREADABLE_REASONS),
    raw: Type.String({ description: "The answer, shortened." }),
  },
  { $id: "Unreadable" },
)
export type Unreadable = Static<typeof Unreadable>
