import type { TemplateValues } from "@assay/templates"
import type { EffectiveData } from "./effective-data.ts"

/** What prompts may read of their configuration, besides what is judged. */
export function templateValues(data: EffectiveData): TemplateValues {
  return {
    general_instructions: generalInstructions(data) ?? "",
    sample_conversation: data.sample_conversation ?? "",
    reasoning_enabled: isReasoningEnabled(data),
  }
}

/** The text of the first instruction of type `general`; null if there is none. */
export function generalInstructions({ instructions }: Pick<EffectiveData, "instructions">): string | null {
  const text = (instructions ?? []).find(({ type }) => type === "general")?.content ?? ""
  return text.trim() === "" ? null : text
}

/** Whether content safety judges are to reason first: `rails.config.content_safety.reasoning.enabled`. */
export function isReasoningEnabled({ rails }: Pick<EffectiveData, "rails">): boolean {
  const safety = rails.config?.["content_safety"]
  const reasoning = typeof safety === "object" && safety !== null && "reasoning" in safety ? safety.reasoning : null
  return typeof reasoning === "object" && reasoning !== null && "enabled" in reasoning && reasoning.enabled === true
}
