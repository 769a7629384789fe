import type { GuardrailData } from "@assay/schemas"

/** A built-in configuration. Its models have no URL: a request gives them as `models`. */
export interface BuiltInConfiguration {
  readonly name: string
  readonly description: string
  readonly data: GuardrailData
}

const CONTENT_SAFETY: BuiltInConfiguration = {
  name: "content-safety",
  description:
    "A content safety model judges the user's message and the answer against 23 categories. Give `models` with url and model: content_safety, and main for chat.",
  data: {
    models: [{ type: "main" }, { type: "content_safety" }],
    rails: {
      input: { flows: ["content safety check input $model=content_safety"] },
      output: { flows: ["content safety check output $model=content_safety"] },
    },
  },
}

const SELF_CHECK: BuiltInConfiguration = {
  name: "self-check",
  description:
    "The model that answers judges the user's message and its own answer, with yes or no. Give `models` with url and model: main.",
  data: {
    models: [{ type: "main" }],
    rails: { input: { flows: ["self check input"] }, output: { flows: ["self check output"] } },
  },
}

/** Returns the configurations of the workspace `system`. */
export function builtInConfigurations(): readonly BuiltInConfiguration[] {
  return [CONTENT_SAFETY, SELF_CHECK]
}
