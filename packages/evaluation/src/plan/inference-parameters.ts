/** Parameters that are sent to a model from where parameters of the run stand too. Any other one goes through `extra`. */
const SENT = [
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

/** What of `params` is sent with a request: known names, and whatever `extra` holds. Null means: not sent. */
export function inferenceParameters(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { extra } = params
  const sent: Record<string, unknown> = { ...(typeof extra === "object" ? extra : undefined) }
  for (const name of SENT) if (params[name] !== undefined) sent[name] = params[name]
  return sent
}
