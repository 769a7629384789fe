import type { GuardrailData, GuardrailModel } from "@assay/schemas"
import type { TemplateValues } from "@assay/templates"

/** A configuration as it is executed: every model has its URL and its name in the same fields, and there is a `main`. */
export type EffectiveData = Omit<GuardrailData, "models" | "rails"> & Required<Pick<GuardrailData, "models" | "rails">>

/** The type of the model that answers chats, and that self-checks use unless they name another. */
export const MAIN = "main"

/**
 * Reads a configuration in the form of NeMo Guardrails: `parameters.base_url` becomes `url`, `parameters.model_name` becomes
 * `model`, and a missing `main` is added, whose name comes from the request. An effective configuration is returned unchanged.
 */
export function effectiveData(data: GuardrailData): EffectiveData {
  return { ...data, models: withMain(data.models ?? []).map(effectiveModel), rails: data.rails ?? {} }
}

/** Returns the models, and adds one of type `main` without name and URL if there is none. */
export function withMain(models: readonly GuardrailModel[]): GuardrailModel[] {
  return models.some(({ type }) => type === MAIN) ? [...models] : [...models, { type: MAIN }]
}

/** Parameters of the vendor's engines for the URL of a model and for its name. */
const ADDRESS_PARAMETERS = ["base_url", "openai_api_base", "api_base"] as const
const NAME_PARAMETERS = ["model_name", "model"] as const

/** Parameters for keys. Their values may only be placeholders. */
export const KEY_PARAMETERS = ["api_key", "openai_api_key", "nvidia_api_key"] as const

/** Parameters that change other parts of a request. */
export const REQUEST_PARAMETERS = ["default_headers", "default_query"] as const

/** Parameters of the vendor's clients, which endpoints do not know. */
export const CLIENT_PARAMETERS = ["timeout", "request_timeout", "max_retries", "streaming", "verbose"] as const

const NOT_SENT: ReadonlySet<string> = new Set([
  ...ADDRESS_PARAMETERS,
  ...NAME_PARAMETERS,
  ...KEY_PARAMETERS,
  ...REQUEST_PARAMETERS,
  ...CLIENT_PARAMETERS,
])

/**
 * Returns the model with `url` and `model` taken from its parameters if it has none, and only with the parameters that are sent.
 */
export function effectiveModel(model: GuardrailModel): GuardrailModel {
  const { parameters } = model
  // Configurations of evaluations are not validated yet at this point.
  if (
    typeof parameters !== "object" ||
    parameters === null ||
    !Object.keys(parameters).some((key) => NOT_SENT.has(key))
  )
    return model
  const url = model.url ?? firstText(parameters, ADDRESS_PARAMETERS)
  const name = model.model ?? firstText(parameters, NAME_PARAMETERS)
  return {
    ...model,
    ...(url === undefined ? {} : { url }),
    ...(name === undefined ? {} : { model: name }),
    parameters: Object.fromEntries(Object.entries(parameters).filter(([key]) => !NOT_SENT.has(key))),
  }
}

function firstText(parameters: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  return keys.map((key) => parameters[key]).find((value): value is string => typeof value === "string" && value !== "")
}

/**
 * Returns whether a key of the vendor has an effect: its value is not absent, null, false, empty, or an object whose `enabled` is
 * false.
 */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return false
  if (Array.isArray(value)) return value.length > 0
  if (typeof value !== "object") return true
  return "enabled" in value ? value.enabled === true : Object.keys(value).length > 0
}

/** Returns the number of flows that run, over texts and over tools. */
export function countFlows({ input, output, ...tools }: EffectiveData["rails"]): number {
  const perTool = [tools.tool_input, tools.tool_output].map((rails) => Object.values(rails?.per_tool ?? {}).flat())
  const lists = [input, output, tools.tool_input, tools.tool_output].map((rails) => rails?.flows ?? [])
  return [...lists, ...perTool].flat().length
}

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
