import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openFolderDatastore } from "../../testing/folder-datastore.ts"
import { planOf, scorePlan } from "../../testing/plan-of.ts"
import { testEnvironment } from "../../testing/test-environment.ts"

const METRICS = Object.fromEntries(
  ["recall_2", "ndcg_cut_2", "P_2", "recip_rank", "map"].map((type) => [type, { type }]),
)
/** Computed by hand: documents of grades 1 and 2 are at ranks 2 and 3. */
const BY_HAND = {
  recall_2: 0.5,
  ndcg_cut_2: 1 / Math.log2(3) / (2 + 1 / Math.log2(3)),
  P_2: 0.5,
  recip_rank: 0.5,
  map: (1 / 2 + 2 / 3) / 2,
}

describe("a retriever", () => {
  it.each<[string, unknown, unknown]>([
    ["ids", ["x", "a", "b"], { a: 1, b: 2 }],
    [
      "objects with scores",
      [
        { id: "a", score: 2 },
        { _id: "b", score: 1 },
        { doc_id: "x", score: 3 },
      ],
      { a: 1, b: 2 },
    ],
    ["scores by id", { b: 0.1, x: 0.9, a: 0.5 }, { a: 1, b: 2, c: 0 }],
  ])("is scored over rankings as %s", verifies("metric.retriever"), async (_, ranking, relevant) => {
    const plan = await planOf(
      { type: "rows", rows: [{ query_id: "q", ranking, relevant }] },
      { type: "retriever", tasks: { r: { metrics: METRICS } } },
    )
    expect(plan.tasks[0]).toMatchObject({ group: "evaluation", metrics: [{ key: "evaluation" }] })
    const [row] = await scorePlan(plan)
    for (const [name, value] of Object.entries(BY_HAND))
      expect(row?.outcomes["evaluation"]?.scores[name]).toBeCloseTo(value, 12)
  })

  it(
    "is scored with the judgements of a dataset in BEIR's layout, and queries without documents count",
    verifies("metric.retriever"),
    async () => {
      await using datastore = await openFolderDatastore()
      await datastore.add("beir", {
        "corpus.jsonl": '{"_id":"a","text":"…"}\n',
        "queries.jsonl": '{"_id":"q1","text":"Why?"}\n{"_id":"q2","text":"How?"}\n{"_id":"q3","text":"Who?"}\n',
        "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t2\nq2\ta\t1\n",
        "qrels/dev.tsv": "query-id\tcorpus-id\tscore\nq3\ta\t1\n",
      })
      const rankings = ["q1", "q3"].map((id) => JSON.stringify({ "query-id": id, results: ["x", "a", "b"] }))
      await datastore.add("run", { "run.jsonl": `${rankings.join("\n")}\n` })
      const scored = async (dataset: object, params = {}) => {
        const plan = await planOf(
          { type: "cached_outputs", cached_outputs: { files_url: "default/run" } },
          {
            type: "retriever",
            params,
            tasks: { r: { metrics: { recall: { type: "recall", params: { k: 2 } }, mrr: { type: "MRR" } }, dataset } },
          },
          testEnvironment(datastore),
        )
        const count = await plan.tasks[0]?.rows.count(new AbortController().signal)
        const rows = await scorePlan(plan)
        expect(rows).toHaveLength(count ?? 0)
        return rows.map(({ item, outcomes }) => [item["query"], outcomes["evaluation"]?.scores])
      }
      expect(await scored({ files_url: "default/beir" })).toEqual([
        ["Why?", { recall_2: 0.5, recip_rank: 0.5 }],
        ["How?", { recall_2: 0, recip_rank: 0 }],
      ])
      expect(await scored({ files_url: "default/beir", split: "dev" })).toEqual([
        ["Who?", { recall_2: 1, recip_rank: 0.5 }],
      ])
      expect(await scored({ files_url: "default/beir" }, { limit_samples: 1 })).toHaveLength(1)
      await expect(scored({ files_url: "default/beir", split: "train" })).rejects.toMatchObject({
        code: "dataset_missing",
      })
    },
  )

  it("reports rankings that can't be used", verifies("metric.retriever"), async () => {
    const of = async (row: Readonly<Record<string, unknown>>) =>
      scorePlan(await planOf({ type: "rows", rows: [row] }, { type: "retriever" }))
    await expect(of({ relevant: {} })).rejects.toMatchObject({ code: "rows_invalid" })
    await expect(of({ ranking: ["a"] })).rejects.toThrow(/which documents are relevant/)
    await expect(of({ ranking: [{}], relevant: ["a"] })).rejects.toThrow(/has no id/)
  })
})
