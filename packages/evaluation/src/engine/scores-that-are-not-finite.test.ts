import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createRunner } from "../testing/create-runner.ts"
import { rowOf } from "@assay/results/testing"
import { tinyMetric, tinyPlan, tinyRows } from "../testing/tiny-plan.ts"
import { createJobRows, rowLines } from "@assay/results"

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "job-rows-"))
})
afterAll(() => rm(root, { recursive: true }))

async function linesOf(name: string, rows: readonly unknown[]): Promise<ReturnType<typeof rowLines.ofFile>> {
  const path = join(root, `${name}.jsonl`)
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  return rowLines.ofFile(name, join(root, name), path)
}

const SELECTION = { filters: [], sort: { by: "index", isDescending: false }, offset: 0, limit: 10 } as const

describe("scores of a run", () => {
  it("have every row, also those with a score that is not finite", verifies("eval.rows.page"), async () => {
    const values = [Number.POSITIVE_INFINITY, Number.NaN, Number.NEGATIVE_INFINITY, "NaN", 1] as const
    const score = ({ item }: { item: Readonly<Record<string, unknown>> }) => ({
      scores: { x: values[Number(String(item["question"]).slice(9))] ?? 0 },
    })
    const plan = tinyPlan({ rows: tinyRows(5), metrics: [tinyMetric("odd", { scores: ["x"], score })] })
    const { lines, progress } = await createRunner()(plan)
    const old = rowOf(5, { odd: { x: null as unknown as number } })
    const rows = createJobRows()
    try {
      const { total, rows: found } = await rows.page(await linesOf("odd", [...lines, old]), SELECTION)
      expect(total).toBe(progress.processed + 1)
      expect(found.map(({ row }) => row.scores)).toEqual(
        ["NaN", "NaN", "NaN", "NaN", 1, "NaN"].map((x) => ({ odd: { x } })),
      )
    } finally {
      await rows.close()
    }
  })
})
