import type { GuardrailModel, GuardrailPrompt, JudgeFamily } from "@assay/schemas"
import { builtInPrompt } from "../built-in/built-in-prompt.ts"
import { familyOf } from "../verdicts/families/family-of.ts"
import { MAIN, type EffectiveData } from "./effective-data.ts"
import { findPrompt, taskOf } from "./find-prompt.ts"
import type { CheckKind, JudgeFlow } from "./parse-flow.ts"
import { isReasoningEnabled } from "./template-values.ts"

/** Tokens that are enough to reason before a verdict. */
export const REASONING_TOKENS = 2048

/** Which model a flow asks, with what, and how its answer is read. */
export interface JudgePlan {
  readonly modelType: string
  /** Null where the configuration has none and we have none for such a judge. */
  readonly prompt: Pick<GuardrailPrompt, "content" | "messages" | "max_tokens" | "stop"> | null
  /** Null: detected. */
  readonly family: JudgeFamily | null
  /** Parameters of each question: those of the prompt and the configuration win over those of the model. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The prompt's own limit, or what reasoning takes; undefined: the model's, or ours. */
  readonly maxTokens: number | undefined
  readonly thinkTokens: ThinkTokens | null
}

/** What a model writes before and after what it thinks aloud. */
export interface ThinkTokens {
  readonly start: string
  readonly end: string
}

const FAMILY_OF_KIND: Partial<Record<CheckKind, JudgeFamily>> = {
  "topic safety check": "topic-control",
  "tool safety check": "tool-safety",
  "llama guard check": "llama-guard",
  "self check": "self-check",
}

/**
 * The model type that a flow asks: the one it names; else the one of its task (`self_check_input`), and for the Llama Guard flow
 * `llama_guard`, if there is one; else `main`.
 */
export function modelTypeOf(flow: JudgeFlow, { models }: Pick<EffectiveData, "models">): string {
  if (flow.model !== null) return flow.model
  const special = flow.kind === "llama guard check" ? ["llama_guard"] : []
  return [taskOf(flow), ...special].find((type) => models.some((model) => model.type === type)) ?? MAIN
}

/**
 * The judge behind a flow. A prompt of the configuration is read as it says itself, else as its model does; a built-in prompt
 * is read in the form that it asks for, whatever the model is used to.
 */
export function planJudge(flow: JudgeFlow, data: EffectiveData): JudgePlan {
  const asked = planQuestion(flow, data)
  const { parameters: own = {}, reasoning_config } =
    data.models.find(({ type }) => type === asked.modelType) ?? ({} as Partial<GuardrailModel>)
  const { stop, max_tokens } = asked.prompt ?? {}
  const { lowest_temperature: temperature } = data
  return {
    ...asked,
    parameters: {
      ...own,
      ...(temperature == null ? {} : { temperature }),
      ...(stop == null || stop.length === 0 ? {} : { stop }),
    },
    maxTokens: max_tokens ?? (reasonsFirst(flow, data, own) ? REASONING_TOKENS : undefined),
    thinkTokens: thinkTokensOf(reasoning_config),
  }
}

/** Whether the configuration lets a content safety judge reason, and says no limit of its own. */
function reasonsFirst({ kind }: JudgeFlow, data: EffectiveData, own: Readonly<Record<string, unknown>>): boolean {
  return (
    kind === "content safety check" &&
    isReasoningEnabled(data) &&
    !("max_tokens" in own || "max_completion_tokens" in own)
  )
}

/** Null for the tokens that every judge is read with. */
function thinkTokensOf(config: GuardrailModel["reasoning_config"]): ThinkTokens | null {
  const { start_token, end_token } = config ?? {}
  if (start_token == null || end_token == null) return null
  return start_token === "<think>" && end_token === "</think>" ? null : { start: start_token, end: end_token }
}

type Question = Pick<JudgePlan, "modelType" | "prompt" | "family">

function planQuestion(flow: JudgeFlow, data: EffectiveData): Question {
  const modelType = modelTypeOf(flow, data)
  const model = data.models.find(({ type }) => type === modelType)
  const ownFamily = familyNamed(model?.family)
  const prompt = findPrompt(data, flow, modelType)
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
