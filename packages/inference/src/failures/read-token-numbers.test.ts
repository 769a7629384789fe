import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { readTokenNumbers } from "./read-token-numbers.ts"

it.each([
  [
    "This model's maximum context length is 4096 tokens. However, you requested 5210 tokens (4954 in the messages, 256 in the completion).",
    5210,
    4096,
  ],
  ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 9000, 8192],
  [
    "You passed 5210 input tokens and requested 256 output tokens. However, the model's context length is only 4096 tokens",
    5466,
    4096,
  ],
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 10 input tokens (5000 > 4096 - 10).",
    5010,
    4096,
  ],
  [
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4954 `inputs` tokens and 256 `max_new_tokens`",
    5210,
    4096,
  ],
  ["the request (5210 tokens) exceeds the available context size (4096 tokens), try increasing it", 5210, 4096],
  ["prompt is too long: 210000 tokens > 200000 maximum", 210_000, 200_000],
  ["the request exceeds the available context size, try increasing it", null, null],
])("readTokenNumbers finds the numbers in: %s", verifies("inference.context-numbers"), (message, asked, limit) => {
  expect(readTokenNumbers(message)).toEqual({ asked, limit })
})
