import { built, type Requirement } from "./requirement.ts"

/** The inference endpoint behind guardrails, and judges. */
export const BRIEF_GUARDRAILS: readonly Requirement[] = [
  ...built("brief: External inference endpoint", {
    "brief.inference.request": "POST …/v1/chat/completions carries model, messages and stream.",
    "brief.inference.bearer": "The request carries the key as a bearer token.",
    "brief.inference.response": "The answer's choices, usage and prompt_logprobs are read in the brief's shape.",
    "brief.inference.verdict": "A content-safety model's message is a JSON string with a `User Safety` verdict.",
  }),
  ...built("brief: Authentication", {
    "brief.inference.key-rejected":
      "401 and 403 mean that the key is invalid or lacks access: a new one must be generated.",
  }),
  ...built("brief: Authentication", {
    "brief.inference.key-from-environment": "On the client's side the key comes from an environment variable.",
  }),
  ...built("brief: Errors", {
    "brief.guardrails.self-check": "Self-check rails ask a model to judge the input and the output.",
  }),
  ...built("brief: Errors", {
    "brief.guardrails.small-judge":
      "A small judge that blocks safe queries is told, with a larger model or a more precise prompt as remedies.",
  }),
]
