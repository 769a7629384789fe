import type { ConditionEntry } from "./error-entry.ts"

/** How a call of an inference endpoint fails. */
export const INFERENCE_ERRORS = {
  inference_unreachable: {
    status: 502,
    title: "Error connecting to inference server",
    meaning: "The inference endpoint can't be reached: nothing answers at its address, or what answers is not it.",
    remedy:
      "Check host, port and scheme of the URL from the machine that asks, that the model server is running there, and that the path ends in `/v1` where the server wants that.",
    retry: "later",
  },
  inference_tls: {
    status: 502,
    title: "Inference SSL error",
    meaning:
      "The certificate of the inference endpoint is not trusted or does not fit its name, or no TLS from version 1.2 on comes about there.",
    remedy:
      "Give the certificate of the issuer as `ca` of the model, or use the name that the certificate was made for, or have it renewed.",
    retry: "never",
  },
  inference_unauthorized: {
    status: 502,
    title: "The inference endpoint refuses the key",
    meaning: "The key is missing or invalid, or its account has no access to the model.",
    remedy:
      "Generate a new key, store it under the secret or variable that is named, and check that its account may use the model.",
    retry: "never",
  },
  model_not_found: {
    status: 502,
    title: "The inference endpoint does not know the model",
    meaning: "The endpoint answers and has no model of this name.",
    remedy: "Use one of the model names that the endpoint lists.",
    retry: "never",
  },
  rate_limited: {
    status: 429,
    title: "The inference endpoint limits the rate",
    meaning: "The endpoint takes no more requests for the moment.",
    remedy: "Wait as long as the answer says, lower `parallelism`, or raise `max_rate_limit_wait`.",
    retry: "later",
  },
  quota_exhausted: {
    status: 502,
    title: "The quota at the inference endpoint is used up",
    meaning: "The account behind the key has no credit left; asking again can't help.",
    remedy: "Add credit, or use the key of another account.",
    retry: "never",
  },
  context_overflow: {
    status: 502,
    title: "The prompt is longer than the model's context",
    meaning: "Prompt and answer together have more tokens than the model takes.",
    remedy: "Shorten the prompt, ask for fewer tokens, or raise the limit of the model server.",
    retry: "never",
  },
  output_truncated: {
    status: 502,
    title: "Answers end at the token limit",
    meaning: "The model was cut off by `max_tokens` before it had answered.",
    remedy: "Raise `max_tokens`; models that reason need about 2,048.",
    retry: "never",
  },
  parameter_unsupported: {
    status: 502,
    title: "The inference endpoint refuses a parameter",
    meaning: "A parameter of the request is one that this endpoint or model does not take.",
    remedy: "Remove or rename the parameter that the message names.",
    retry: "never",
  },
  model_loading: {
    status: 503,
    title: "The model is still loading",
    meaning: "The model server answers, and its model is not ready yet.",
    remedy: "Wait until the model is loaded.",
    retry: "later",
  },
  server_overloaded: {
    status: 503,
    title: "The model server is overloaded",
    meaning: "The model server has more requests waiting than it takes.",
    remedy: "Lower `parallelism`, or give the server more slots.",
    retry: "later",
  },
  server_out_of_memory: {
    status: 502,
    title: "The model server is out of memory",
    meaning: "The model server could not load or run the model in the memory that it has.",
    remedy: "Use a smaller model or a stronger quantisation, or restart the server on a larger machine.",
    retry: "never",
  },
  bad_response: {
    status: 502,
    title: "The inference endpoint answers something else than a chat completion",
    meaning: "What came back is no chat completion: HTML, broken JSON, an empty body or an answer that was cut.",
    remedy:
      "Look at the first bytes in the message: a proxy or a login page may stand in between, or the URL is that of another service.",
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
