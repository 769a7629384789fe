import type { TemplateValues } from "@assay/templates"
import type { EffectiveData } from "./effective-data.ts"

/** Returns the values of the configuration that prompts can read, in addition to the text to judge. */
export function templateValues(data: EffectiveData): TemplateValues {
  return {
    general_instructions: generalInstructions(data) ?? "",
    sample_conversation: data.sample_conversation ?? "",
    reasoning_enabled: isReasoningEnabled(data),
  }
}

/** Returns the text of the first instruction of type `general`, or null if there is none. */
export function generalInstructions({ instructions }: Pick<EffectiveData, "instructions">): string | null {
  const text = (instructions ?? []).find(({ type }) => type === "general")?.content ?? ""
  return text.trim() === "" ? null : text
}

/** Returns whether content safety judges reason first: `rails.config.content_safety.reasoning.enabled`. */
export function isReasoningEnabled({ rails }: Pick<EffectiveData, "rails">): boolean {
  const safety = rails.config?.["content_safety"]
  const reasoning = typeof safety === "object" && safety !== null && "reasoning" in safety ? safety.reasoning : null
  return typeof reasoning === "object" && reasoning !== null && "enabled" in reasoning && reasoning.enabled === true
}
