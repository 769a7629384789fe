import { startFakeInference, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openFolderDatastore } from "../testing/folder-datastore.ts"
import { planOf, scorePlan } from "../testing/plan-of.ts"
import { testEnvironment } from "../testing/test-environment.ts"

const PERFECT = {
  accuracy: { accuracy: 1 },
  bleu: { sentence: expect.closeTo(100) as number },
  rouge: { rouge_1_score: 1, rouge_2_score: 1, rouge_3_score: 1, rouge_L_score: 1, rouge_Lsum_score: 1 },
  em: { em_score: 1 },
  f1: { f1_score: 1 },
}

describe("similarity metrics", () => {
  it.each([
    [{ prompt: "Capital of France?", ideal_response: "It is Paris indeed.", output: "It is Paris indeed." }],
    [{ input: "Capital of France?", reference: "It is Paris indeed.", response: "It is Paris indeed." }],
    [{ input: { prompt: "Capital?", ideal_response: "It is Paris indeed." }, response: "It is Paris indeed." }],
  ])("score given outputs by all five metrics", verifies("metric.similarity"), async (row) => {
    const plan = await planOf({ type: "rows", rows: [row] }, { type: "similarity_metrics" })
    expect(plan.tasks.map(({ name }) => name)).toEqual(["default"])
    const [scored] = await scorePlan(plan)
    expect(
      Object.fromEntries(Object.entries(scored?.outcomes ?? {}).map(([key, { scores }]) => [key, scores])),
    ).toEqual(PERFECT)
  })

  it("call a target that is a model", verifies("metric.similarity"), async () => {
    const server = await startFakeInference()
    await using datastore = await openFolderDatastore()
    try {
      await datastore.add("rows", {
        "rows.jsonl": '{"prompt":"Paris","ideal_response":"paris"}\n{"input":"Rome","reference":["Roma","Rome"]}\n',
      })
      const plan = await planOf(
        { type: "model", model: { api_endpoint: { url: server.url, model_id: "echo" } } },
        {
          type: "similarity_metrics",
          params: { max_tokens: 7 },
          tasks: {
            default: {
              type: "default",
              dataset: { files_url: "default/rows" },
              metrics: { accuracy: { type: "accuracy" }, em: { type: "em" } },
            },
          },
        },
        testEnvironment(datastore),
      )
      const scored = await scorePlan(plan)
      expect(
        scored.map(({ outcomes }) => [outcomes["accuracy"]?.scores["accuracy"], outcomes["em"]?.scores["em_score"]]),
      ).toEqual([
        [0, 1],
        [1, 1],
      ])
      expect(JSON.parse(server.requests[0]?.body ?? "")).toMatchObject({
        max_tokens: 7,
        messages: [{ role: "user", content: "Paris" }],
      })
    } finally {
      await server.close()
    }
  })

  it("name the fields that a row lacks", verifies("metric.similarity"), async () => {
    const plan = await planOf({ type: "rows", rows: [{ prompt: "a", output: "b" }] }, { type: "similarity_metrics" })
    await expect(scorePlan(plan)).rejects.toMatchObject({
      code: "rows_invalid",
      message: expect.stringContaining("'ideal_response' or 'reference'") as string,
    })
  })
})
