import type { JudgeFamily, Verdict } from "@assay/schemas"
import { FAMILY_FORMS } from "./families/family-forms.ts"

/** Writes a verdict as the family would; what a family has no words for is left out, and no family but Qwen3Guard knows controversial. */
export function formatVerdict(
  verdict: Pick<Verdict, "user_safety" | "response_safety" | "categories">,
  family: JudgeFamily,
): string {
  return FAMILY_FORMS[family].format(verdict)
}
