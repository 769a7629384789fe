import { isKeyName } from "../launch/key-names.ts"

/** Parameters that are sent to a model from where parameters of the run stand too. Any other one goes through `extra`. */
export const SENT = [
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "seed",
  "frequency_penalty",
  "presence_penalty",
  "repetition_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "response_format",
  "reasoning_effort",
  "chat_template_kwargs",
] as const

/** What of `params` is sent with a request: known names, and whatever `extra` holds but keys. Null means: not sent. */
export function inferenceParameters(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { extra } = params
  const entries = Object.entries(typeof extra === "object" && extra !== null ? extra : {})
  const sent: Record<string, unknown> = Object.fromEntries(entries.filter(([name]) => isForModel(name)))
  for (const name of SENT) if (params[name] !== undefined) sent[name] = params[name]
  return sent
}

/** Some clients put the key of a hub there: it is for whoever loads data, and no model's business. */
function isForModel(name: string): boolean {
  return !isKeyName(name.replace(/_secret$/, ""))
}
