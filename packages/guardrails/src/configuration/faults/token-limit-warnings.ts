import type { ValidationIssue } from "@assay/schemas"
import type { EffectiveData } from "../effective-data.ts"
import { findPrompt } from "../find-prompt.ts"
import { judgeFlows, modelTypeOf } from "../plan-judge.ts"
import { configurationFault } from "./configuration-fault.ts"

/** With fewer tokens, an endpoint says of each answer that it was cut. */
const LEAST_TOKENS = 2

const MESSAGE =
  "lets the judge write one token, and the endpoint says that such an answer was cut; a cut 'No' or 'safe' is not a verdict, so nothing passes: give at least 3, or leave it out"

/** Returns a warning for each token limit, of a prompt or of a model, that makes every short verdict a truncated one. */
export function tokenLimitWarnings(data: EffectiveData): readonly ValidationIssue[] {
  const warned = new Map<string, ValidationIssue>()
  for (const flow of judgeFlows(data)) {
    const type = modelTypeOf(flow, data)
    const prompt = findPrompt(data, flow, type)
    const loc =
      prompt?.max_tokens == null
        ? ownLimit(data, type)
        : limited(prompt.max_tokens, ["prompts", (data.prompts ?? []).indexOf(prompt), "max_tokens"])
    if (loc !== undefined) warned.set(loc.join("."), configurationFault(loc, MESSAGE, "token_limit"))
  }
  return [...warned.values()]
}

type Loc = readonly (string | number)[]

/** Returns the location of the limit of a model, if it is too low. */
function ownLimit({ models }: EffectiveData, type: string): Loc | undefined {
  const index = models.findIndex((model) => model.type === type)
  const { parameters = {} } = models[index] ?? {}
  const name = parameters["max_tokens"] == null ? "max_completion_tokens" : "max_tokens"
  return limited(parameters[name], ["models", index, "parameters", name])
}

function limited(limit: unknown, loc: Loc): Loc | undefined {
  return typeof limit === "number" && limit < LEAST_TOKENS ? loc : undefined
}
