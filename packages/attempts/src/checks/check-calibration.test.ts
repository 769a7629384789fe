import type { EvaluationConfigBody } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createLaunchPorts } from "../testing/create-launch-ports.ts"
import { type FolderDatastore, openFolderDatastore } from "@assay/evaluation/testing"
import { checkLaunch } from "./check-launch.ts"

let datastore: FolderDatastore
let fake: FakeInference
beforeAll(async () => {
  datastore = await openFolderDatastore()
  fake = await startFakeInference({
    models: { guard: () => ({ content: "no" }), poet: () => ({ content: "It depends on the moon." }) },
  })
})
afterAll(async () => {
  await datastore[Symbol.asyncDispose]()
  await fake.close()
})

const rails = { input: { flows: ["self check input"] } }
const modelAt = (model_id: string, url = `${fake.url}/v1`) => ({ api_endpoint: { url, model_id } })
const judge = (model_id: string, url?: string) => ({ params: { guardrail: { rails }, model: modelAt(model_id, url) } })
const stored = { models: [{ type: "main", model: "guard", url: "http://127.0.0.1:1/v1" }], rails }

function check(config: Partial<EvaluationConfigBody>) {
  const target = { type: "rows" as const, rows: [{ prompt: "Hello", label: "safe" }] }
  const environment = createLaunchPorts(datastore, { getGuardrail: async () => stored })
  const body: EvaluationConfigBody = { type: "calibration", ...config }
  const options = { signal: new AbortController().signal }
  return checkLaunch({ target, config: body, namespace: "default" }, environment, options)
}

describe("the launch checks of a calibration", () => {
  it(
    "ask each judge about the first prompt, and warn if a verdict can't be read",
    verifies("config.calibration"),
    async () => {
      const before = fake.requests.length
      const params = { max_false_block: 0.05, max_miss: 0.1 }
      const { failed, warnings, estimate } = await check({
        params,
        tasks: { good: judge("guard"), odd: judge("poet") },
      })
      expect([failed, estimate.requests]).toEqual([[], 2])
      expect(warnings).toMatchObject([{ check: "judge_format", code: "judge_output_unreadable" }])
      expect(warnings[0]?.message).toContain("Judge 'odd' gave no verdict on the first prompt")
      const asked = fake.requests.slice(before).map(({ chat }) => [chat?.model, chat?.max_tokens === 1])
      expect(asked.filter(([, isProbe]) => isProbe)).toHaveLength(2)
      expect(asked.filter(([, isProbe]) => !isProbe).map(([model]) => model)).toEqual(["guard", "poet"])
    },
  )

  it("name the judge that can't be reached", verifies("config.calibration"), async () => {
    const tasks = { here: judge("guard", "http://127.0.0.1:1/v1"), stored: { params: { guardrail: "default/strict" } } }
    const { failed } = await check({ tasks })
    expect(failed.map(({ code, message }) => [code, /\((.*?)\)/.exec(message)?.[1]])).toEqual([
      ["inference_unreachable", "config.tasks.here.params.model"],
      ["inference_unreachable", "config.tasks.stored.params.guardrail"],
    ])
  })

  it("say where limits and models have no effect", verifies("launch.params"), async () => {
    const { warnings } = await check({
      type: "content_safety",
      params: { max_miss: 0.1 },
      tasks: { safety: judge("guard") },
    })
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("config.params.max_miss: has no effect here"),
      expect.stringContaining("tasks.safety.params.model: has no effect here"),
    ])
  })
})
