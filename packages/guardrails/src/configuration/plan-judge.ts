import type { GuardrailModel, GuardrailPrompt, JudgeFamily } from "@assay/schemas"
import { builtInPrompt } from "../built-in/built-in-prompt.ts"
import { familyOf } from "../verdicts/families/family-by-name.ts"
import { type EffectiveData, MAIN, isReasoningEnabled } from "./effective-data.ts"
import { findPrompt, taskOf } from "./find-prompt.ts"
import { parseFlow, type CheckKind, type JudgeFlow } from "./parse-flow.ts"

/** Token limit for a judge that reasons before its verdict. */
export const REASONING_TOKENS = 2048

/** Which model a flow asks, with which prompt and parameters, and how its answer is read. */
export interface JudgePlan {
  readonly modelType: string
  /** Null: neither the configuration nor this package has a prompt for such a judge. */
  readonly prompt: Pick<GuardrailPrompt, "content" | "messages" | "max_tokens" | "stop"> | null
  /** Whether the prompt is one of the configuration. */
  readonly isConfigured: boolean
  /** The family whose form the answer is read in. Null: it is detected. */
  readonly family: JudgeFamily | null
  /** The family whose form the prompt asks for. Null: only the author of the prompt knows. */
  readonly form: JudgeFamily | null
  /** Parameters of each request. Those of the prompt and the configuration override those of the model. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The limit of the prompt, or the limit for reasoning. Undefined: the model's limit, or our default. */
  readonly maxTokens: number | undefined
  readonly thinkTokens: ThinkTokens | null
}

/** The marks before and after a model's reasoning. */
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

/** The form that the built-in prompt of content safety asks for. A guard model can still answer in the form that it was trained on. */
const BUILT_IN_FORM: JudgeFamily = "user-safety-json"

/**
 * Returns the model type that a flow asks: the one it names, or else the one of its task (`self_check_input`), for the Llama Guard
 * flow also `llama_guard`, if the configuration has it, or else `main`.
 */
export function modelTypeOf(flow: JudgeFlow, { models }: Pick<EffectiveData, "models">): string {
  if (flow.model !== null) return flow.model
  const special = flow.kind === "llama guard check" ? ["llama_guard"] : []
  return [taskOf(flow), ...special].find((type) => models.some((model) => model.type === type)) ?? MAIN
}

/**
 * Plans the judge of a flow. The answer to a configured prompt is read by the prompt's parser, or else by the model's family. If
 * neither names a family, it is detected.
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

/** Returns whether the configuration lets a content safety judge reason without a limit of its own. */
function reasonsFirst({ kind }: JudgeFlow, data: EffectiveData, own: Readonly<Record<string, unknown>>): boolean {
  return (
    kind === "content safety check" &&
    isReasoningEnabled(data) &&
    !("max_tokens" in own || "max_completion_tokens" in own)
  )
}

/** Returns null for the tokens that are recognised in every answer. */
function thinkTokensOf(config: GuardrailModel["reasoning_config"]): ThinkTokens | null {
  const { start_token, end_token } = config ?? {}
  if (start_token == null || end_token == null) return null
  return start_token === "<think>" && end_token === "</think>" ? null : { start: start_token, end: end_token }
}

type Question = Pick<JudgePlan, "modelType" | "prompt" | "isConfigured" | "family" | "form">

function planQuestion(flow: JudgeFlow, data: EffectiveData): Question {
  const modelType = modelTypeOf(flow, data)
  const model = data.models.find(({ type }) => type === modelType)
  const ownFamily = familyNamed(model?.family)
  const prompt = findPrompt(data, flow, modelType)
  if (prompt !== null) {
    const family = familyNamed(prompt.output_parser) ?? ownFamily ?? FAMILY_OF_KIND[flow.kind] ?? null
    return { modelType, prompt, isConfigured: true, family, form: family }
  }
  const family = FAMILY_OF_KIND[flow.kind] ?? ownFamily
  const form = family ?? BUILT_IN_FORM
  return { modelType, prompt: builtInPrompt(flow, form), isConfigured: false, family, form }
}

/** This parser reads both `safe` or `unsafe` with codes, and `yes` or `no`. Only the answer shows which. */
const DETECTING_PARSER = "is_content_safe"

function familyNamed(word: string | undefined): JudgeFamily | null {
  return word === undefined || word === DETECTING_PARSER ? null : (familyOf(word) ?? null)
}

/** Returns every flow that asks a judge, of the rails and the ensembles of a configuration. */
export function judgeFlows({ rails, ensembles = [] }: EffectiveData): readonly JudgeFlow[] {
  const names = [
    ...(rails.input?.flows ?? []),
    ...(rails.output?.flows ?? []),
    ...ensembles.flatMap(({ flows }) => flows),
  ]
  return names.map(parseFlow).filter((flow) => flow?.type === "judge")
}

/** Returns the types of the models that are judges in a configuration. */
export function judgeTypes(data: EffectiveData): ReadonlySet<string> {
  return new Set(judgeFlows(data).map((flow) => modelTypeOf(flow, data)))
}
