import type { GuardrailData, GuardrailPrompt, JudgeFamily } from "@assay/schemas"
import { builtInPrompt } from "../built-in/built-in-prompt.ts"
import { familyOf } from "../verdicts/family-of.ts"
import { findPrompt } from "./find-prompt.ts"
import type { CheckKind, JudgeFlow } from "./parse-flow.ts"

/** Which model a flow asks, with what, and how its answer is read. */
export interface JudgePlan {
  readonly modelType: string
  /** Null where the configuration has none and we have none for such a judge. */
  readonly prompt: Pick<GuardrailPrompt, "content" | "messages" | "max_tokens"> | null
  /** Null: detected. */
  readonly family: JudgeFamily | null
}

const FAMILY_OF_KIND: Partial<Record<CheckKind, JudgeFamily>> = {
  "topic safety check": "topic-control",
  "tool safety check": "tool-safety",
  "llama guard check": "llama-guard",
  "self check": "self-check",
}

/** The model type that a flow asks: the one it names, else `main`; for the Llama Guard flow `llama_guard` where there is one. */
export function modelTypeOf({ kind, model }: JudgeFlow, { models }: Pick<GuardrailData, "models">): string {
  if (model !== null) return model
  const isLlamaGuard = kind === "llama guard check" && models.some(({ type }) => type === "llama_guard")
  return isLlamaGuard ? "llama_guard" : "main"
}

/**
 * The judge behind a flow. A prompt of the configuration is read as it says itself, else as its model does; a built-in prompt
 * is read in the form that it asks for, whatever the model is used to.
 */
export function planJudge(flow: JudgeFlow, data: GuardrailData): JudgePlan {
  const modelType = modelTypeOf(flow, data)
  const model = data.models.find(({ type }) => type === modelType)
  const ownFamily = familyNamed(model?.family)
  const prompt = findPrompt(data.prompts ?? [], flow, modelType)
  if (prompt !== null) {
    return {
      modelType,
      prompt,
      family: familyNamed(prompt.output_parser) ?? ownFamily ?? FAMILY_OF_KIND[flow.kind] ?? null,
    }
  }
  const family = FAMILY_OF_KIND[flow.kind] ?? ownFamily ?? "user-safety-json"
  return { modelType, prompt: builtInPrompt(flow, family), family }
}

/** This parser reads both `safe` or `unsafe` with codes and `yes` or `no`: which, shows in the answer alone. */
const DETECTING_PARSER = "is_content_safe"

function familyNamed(word: string | undefined): JudgeFamily | null {
  return word === undefined || word === DETECTING_PARSER ? null : (familyOf(word) ?? null)
}
