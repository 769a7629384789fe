import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { scoreGates } from "@assay/results"
import { sequentialGates, withoutGates } from "./sequential-gates.ts"

const contentOf = (params: object = {}) => ({
  target: { type: "rows" as const, rows: [{ output: "x", ref: "x" }] },
  config: {
    type: "custom" as const,
    params,
    tasks: {
      qa: {
        type: "data",
        metrics: {
          f: { type: "f1", params: { ground_truth: "{{ item.ref }}" } },
          b: { type: "bleu", params: { references: ["{{ item.ref }}"] } },
          slow: { type: "latency", params: {} },
        },
      },
    },
  },
})
const read = (texts: readonly string[], params = {}) =>
  sequentialGates(
    { content: contentOf(params) },
    texts.map((text) => ({ ...scoreGates.parse(text), alpha: 0.01 })),
  )

it("Limits of a policy end their job together, each at its own alpha", verifies("release.run"), () => {
  expect(read(["qa.f >= 0.5", "f <= 0.9"])).toMatchObject([
    {
      task: "qa",
      metric: "f",
      op: ">=",
      value: 0.5,
      stop: "early",
      population: "unlimited",
      alpha: 0.02,
      range: [0, 1],
    },
    { op: "<=", value: 0.9, alpha: 0.02 },
  ])
  expect(read(["qa.b.sentence >= 50"])).toMatchObject([{ range: [0, 100] }])
})

it.each([
  ["a gate on these rows", ["qa.f >= 0.5", "qa.f >= 0.5 on these rows"], {}],
  ["a score over all rows at once", ["qa.b.corpus >= 50"], {}],
  ["a score without a highest value", ["qa.slow >= 5"], {}],
  ["rows in groups", ["qa.f >= 0.5"], { cluster_by: "ref" }],
])("%s needs all rows", (_what, texts, params) => {
  expect(read(texts, params)).toBeUndefined()
})

it("The gates of a file are left out, and its other params are kept", () => {
  const params = { limit_samples: 3, gates: [{ task: "qa", metric: "f", op: ">=" as const, value: 0.5 }] }
  const file = { content: { ...contentOf(params), gates: ["qa.f >= 0.5"] } }
  const { content } = withoutGates(file as unknown as Parameters<typeof withoutGates>[0])
  expect([content.gates, content.config]).toMatchObject([undefined, { params: { limit_samples: 3 } }])
  expect(content.config).not.toHaveProperty("params.gates")
})
