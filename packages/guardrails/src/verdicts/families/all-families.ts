import type { JudgeFamily, Verdict } from "@assay/schemas"
import { dynaguard } from "./dynaguard.ts"
import { flaggedJson } from "./flagged-json.ts"
import { gptOssSafeguard } from "./gpt-oss-safeguard.ts"
import { graniteGuardian } from "./granite-guardian.ts"
import { guardreasoner } from "./guardreasoner.ts"
import { harmLines } from "./harm-lines.ts"
import type { JudgeFamilyForm } from "./judge-family-form.ts"
import { kananaSafeguard } from "./kanana-safeguard.ts"
import { llamaGuard } from "./llama-guard.ts"
import { polyguard } from "./polyguard.ts"
import { qwen3guard } from "./qwen3guard.ts"
import { selfCheck } from "./self-check.ts"
import { sguard } from "./sguard.ts"
import { shieldgemma } from "./shieldgemma.ts"
import { toolSafety } from "./tool-safety.ts"
import { topicControl } from "./topic-control.ts"
import { userSafetyJson, userSafetyLines } from "./user-safety.ts"
import { wildguard } from "./wildguard.ts"

/** The form of each family's answers. */
export const FAMILY_FORMS: Readonly<Record<JudgeFamily, JudgeFamilyForm>> = {
  "user-safety-json": userSafetyJson,
  "user-safety-lines": userSafetyLines,
  "harm-lines": harmLines,
  "llama-guard": llamaGuard,
  qwen3guard,
  wildguard,
  "granite-guardian": graniteGuardian,
  shieldgemma,
  "self-check": selfCheck,
  "topic-control": topicControl,
  "flagged-json": flaggedJson,
  "tool-safety": toolSafety,
  polyguard,
  guardreasoner,
  dynaguard,
  "kanana-safeguard": kananaSafeguard,
  sguard,
  "gpt-oss-safeguard": gptOssSafeguard,
}

/**
 * Writes a verdict in the canonical form of the family. Parts that the family has no words for are left out; only
 * Qwen3Guard and Llama Guard have a word for controversial.
 */
export function formatVerdict(
  verdict: Pick<Verdict, "user_safety" | "response_safety" | "categories">,
  family: JudgeFamily,
): string {
  return FAMILY_FORMS[family].format(verdict)
}
