import { readPromptTokens, type CallOptions, type ChatAnswer, type PromptToken } from "@assay/inference"
import { AssayError, isAssayError, maskUrlUser } from "@assay/schemas"
import type { OpenedModel } from "../models/model-pool.ts"

/** The ways to get log-probabilities of a prompt, by the parameter that decides. Each asks for one new token, which is ignored. */
const WAYS: readonly (readonly [name: string, parameters: Readonly<Record<string, unknown>>])[] = [
  // 0 tokens are refused by some servers.
  ["echo", { echo: true, logprobs: 1, max_tokens: 1, temperature: 0 }],
  ["prompt_logprobs", { prompt_logprobs: 1, max_tokens: 1, temperature: 0 }],
]

/** Returns the parameters of the first request. */
export function likelihoodParameters(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...parameters, ...WAYS[0]?.[1] }
}

export interface PromptAnswer {
  /** The tokens of each prompt. */
  readonly prompts: readonly (readonly PromptToken[])[]
  readonly answer: ChatAnswer
}

interface PromptsToAsk {
  /** At least one. Several are sent in one request. */
  readonly prompts: readonly string[]
  /** Sent with each request. The parameters that decide win over them. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * Asks an endpoint for the log-probabilities of prompts: by `echo` and `logprobs`, or by `prompt_logprobs` of vLLM. The model
 * remembers which of them works.
 * @throws `parameter_unsupported` if none does, with what each one gave; `bad_response` if an answer lacks them although others had
 * them; the errors of the client
 */
export async function askPromptTokens(
  model: OpenedModel,
  { prompts, parameters }: PromptsToAsk,
  options: CallOptions,
): Promise<PromptAnswer> {
  const [only] = prompts
  const prompt = prompts.length === 1 && only !== undefined ? only : prompts
  const faults: string[] = []
  for (const [name, own] of WAYS) {
    if (model.refused.has(name)) continue
    const answer = await model.client
      .completeText({ prompt, parameters: { ...withoutNull(parameters), ...own } }, options)
      .catch((error: unknown) => {
        if (model.taken.has(name) || !isRefusal(error)) throw error
        faults.push(`with \`${name}\`, ${error.message.replace(/\.$/, "")}`)
      })
    if (answer === undefined) continue
    const read = readPromptTokens(prompts, answer.body)
    if ("prompts" in read) {
      model.taken.add(name)
      for (const [other] of WAYS) if (other !== name && !model.taken.has(other)) model.refused.add(other)
      return { prompts: read.prompts, answer }
    }
    if (model.taken.has(name)) throw new AssayError("bad_response", `The answer can't be used: ${read.missing}.`)
    faults.push(`the answer to \`${name}\` can't be used: ${read.missing}`)
  }
  throw unsupported(model, faults)
}

/** Returns whether an endpoint refused the request itself, and not only for now. */
function isRefusal(error: unknown): error is AssayError {
  if (!isAssayError(error)) return false
  const { status } = error.context
  return error.code === "parameter_unsupported" || (error.code === "bad_response" && Number(status) >= 400)
}

function withoutNull(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null))
}

function unsupported({ endpoint: { url, model_id } }: OpenedModel, faults: readonly string[]): AssayError {
  const message = `'${model_id}' at ${maskUrlUser(url)} gives no log-probabilities of a prompt: ${faults.join("; ")}.`
  const remedy =
    "Serve the model where /completions supports `echo` with `logprobs`, or `prompt_logprobs`, for example with vLLM. Services for chats do not give them."
  return new AssayError("parameter_unsupported", message, { context: { remedy, parameter: "logprobs" } })
}
