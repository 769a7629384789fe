import type { GuardrailData } from "@assay/schemas"
import { startFakeInference, type FakeInference, type FakeInferenceOptions } from "@assay/testkit"

export const GUARDRAILS = "/apis/guardrails/v2/workspaces"

export interface TestJudge {
  readonly fake: FakeInference
  /** Input and output rails of a content safety model around a model that repeats its input. */
  readonly data: GuardrailData & Required<Pick<GuardrailData, "models">>
}

/** Starts an inference server with a judge and a model. `data` is a configuration that asks them. `secret` names the key of both. */
export async function startJudge(secret?: string, options: FakeInferenceOptions = {}): Promise<TestJudge> {
  const fake = await startFakeInference(options)
  const at = { url: `${fake.url}/v1`, ...(secret === undefined ? {} : { api_key_secret: secret }) }
  return {
    fake,
    data: {
      models: [
        { type: "main", model: "echo", ...at },
        { type: "content_safety", model: "content-safety", family: "user-safety-json", ...at },
      ],
      rails: {
        input: { flows: ["content safety check input $model=content_safety"] },
        output: { flows: ["content safety check output $model=content_safety"] },
      },
      refusal: "No.",
    },
  }
}

export const says = (content: string, role = "user") => [{ role, content }]
