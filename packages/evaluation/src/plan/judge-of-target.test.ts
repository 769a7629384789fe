import type { MetricConfig } from "@assay/schemas"
import { type FakeChatBody, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterEach, describe, expect, it } from "vitest"
import { openFolderDatastore } from "../testing/folder-datastore.ts"
import { planOf, scorePlan } from "../testing/plan-of.ts"
import { testEnvironment } from "../testing/test-environment.ts"

let server: FakeInference
afterEach(() => server.close())

const SCORES = {
  quality: { type: "int", minimum: 1, maximum: 5, parser: { type: "json", json_path: "$.quality" } },
  tone: {
    type: "rubric",
    rubric: [
      { label: "kind", value: 1 },
      { label: "rude", value: 0 },
    ],
  },
}

function judge(): MetricConfig {
  const template = { messages: [{ role: "user", content: "Rate: {{ sample.output_text }} for {{ item.question }}" }] }
  const model = { api_endpoint: { url: `${server.url}/v1`, model_id: "judge" } }
  return { type: "llm-judge", params: { model, template, scores: SCORES } }
}

describe("a judge at the endpoint of the target", () => {
  it(
    "gets none of the parameters that are sent to a target at the same endpoint",
    verifies("metric.llm-judge"),
    async () => {
      const refuses = ({ chat }: { readonly chat?: FakeChatBody | undefined }) =>
        JSON.stringify(chat).includes("json_schema")
      server = await startFakeInference({ models: { judge: () => ({ content: '{"quality": 4, "tone": "kind"}' }) } })
      server.faults.add({ when: refuses, fault: { kind: "condition", condition: "response-format-unsupported" } })
      await using datastore = await openFolderDatastore()
      await datastore.add("rows", { "rows.jsonl": '{"question":"a"}\n{"question":"b"}\n' })
      const template = { prompt: "{{ question }}", response_format: { type: "json_object" } }
      const api_endpoint = { url: `${server.url}/v1`, model_id: "judge" }
      const tasks = { qa: { params: { template }, dataset: "default/rows", metrics: { judge: judge() } } }
      const rows = await scorePlan(
        await planOf({ type: "model", model: { api_endpoint } }, { type: "custom", tasks }, testEnvironment(datastore)),
      )
      expect(rows.map(({ outcomes }) => outcomes["judge"]?.scores["quality"])).toEqual([4, 4])
      expect(
        server.requests.map(({ chat }) => (chat?.["response_format"] as { type: string } | undefined)?.type),
      ).toEqual(["json_object", "json_schema", undefined, "json_object", undefined])
    },
  )
})
