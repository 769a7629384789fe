import type { ConditionEntry } from "./error-entry.ts"

/** The errors of calls to inference endpoints. */
export const INFERENCE_ERRORS = {
  inference_unreachable: {
    status: 502,
    title: "Error connecting to inference server",
    meaning: "The inference endpoint can't be reached: nothing answers at its address, or something else does.",
    remedy:
      "From the machine that sends the request, check the host, port and scheme of the URL, that the model server is running there, and that the path ends in `/v1` if the server needs it.",
    retry: "later",
  },
  inference_tls: {
    status: 502,
    title: "Inference SSL error",
    meaning:
      "The certificate of the inference endpoint is not trusted or does not match its name, or the endpoint does not support TLS 1.2 or later.",
    remedy:
      "Set `ca` of the model to the issuer's certificate, use the host name in the certificate, or renew the certificate.",
    retry: "never",
  },
  inference_unauthorized: {
    status: 502,
    title: "The inference endpoint refuses the key",
    meaning: "The key is missing or invalid, or its account has no access to the model.",
    remedy:
      "Generate a new key, store it in the secret or variable that the message names, and check that its account may use the model.",
    retry: "never",
  },
  model_not_found: {
    status: 502,
    title: "The inference endpoint does not know the model",
    meaning: "The endpoint answers, but has no model with this name.",
    remedy: "Use one of the model names that the endpoint lists.",
    retry: "never",
  },
  rate_limited: {
    status: 429,
    title: "The inference endpoint limits the rate",
    meaning: "The endpoint accepts no more requests for now.",
    remedy: "Wait as long as the response says, lower `parallelism`, or raise `max_rate_limit_wait`.",
    retry: "later",
  },
  quota_exhausted: {
    status: 502,
    title: "The quota at the inference endpoint is used up",
    meaning: "The account of the key has no credit left; sending the request again can't help.",
    remedy: "Add credit, or use the key of another account.",
    retry: "never",
  },
  context_overflow: {
    status: 502,
    title: "The prompt is longer than the model's context",
    meaning: "The prompt and the answer together have more tokens than the model's context.",
    remedy: "Shorten the prompt, ask for fewer tokens, or raise the limit of the model server.",
    retry: "never",
  },
  output_truncated: {
    status: 502,
    title: "Answers end at the token limit",
    meaning: "The model reached `max_tokens` before it had answered.",
    remedy: "Raise `max_tokens`; models that reason need about 2,048.",
    retry: "never",
  },
  parameter_unsupported: {
    status: 502,
    title: "The inference endpoint refuses a parameter",
    meaning: "The endpoint or model does not accept a parameter of the request.",
    remedy: "Remove or rename the parameter that the message names.",
    retry: "never",
  },
  model_loading: {
    status: 503,
    title: "The model is still loading",
    meaning: "The model server answers, but its model is not ready yet.",
    remedy: "Wait until the model is loaded.",
    retry: "later",
  },
  server_overloaded: {
    status: 503,
    title: "The model server is overloaded",
    meaning: "The model server has more waiting requests than it accepts.",
    remedy: "Lower `parallelism`, or give the server more slots.",
    retry: "later",
  },
  server_out_of_memory: {
    status: 502,
    title: "The model server is out of memory",
    meaning: "The model server does not have enough memory to load or run the model.",
    remedy: "Use a smaller model or a stronger quantisation, or restart the server on a larger machine.",
    retry: "never",
  },
  bad_response: {
    status: 502,
    title: "The inference endpoint does not return a chat completion",
    meaning: "The response is not a chat completion, but HTML, broken JSON, an empty body or a truncated answer.",
    remedy:
      "Look at the first bytes in the message: they may come from a proxy or a login page, or the URL may be that of another service.",
    retry: "later",
  },
  request_timeout: {
    status: 504,
    title: "The inference endpoint does not answer in time",
    meaning: "No answer came within the time limit.",
    remedy: "Raise `request_timeout`, ask for fewer tokens, or lower `parallelism`.",
    retry: "later",
  },
} as const satisfies Record<string, ConditionEntry>
