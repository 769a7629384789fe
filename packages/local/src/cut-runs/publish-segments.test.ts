import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TaskPlan } from "@assay/evaluation"
import type { EvaluationRow } from "@assay/schemas"
import { openStorage } from "@assay/storage"
import { expect, it } from "vitest"
import { publishSegments } from "./publish-segments.ts"
import { openShardRows } from "./store/shard-rows.ts"

const FAILURE = { code: "timeout", message: "No response." }

/** A row of the journal. */
function rowOf(row_index: number, attempt: number, error: EvaluationRow["error"] = null): EvaluationRow {
  const answer = { item: {}, prompt: "p", response: "r", expected: null, scores: {}, usage: null, latency_ms: 1 }
  return { task: "t", row_index, repeat: 0, attempt, ...answer, error } as unknown as EvaluationRow
}

it("A shard counts each row that it publishes once, as failed if its last answer is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-publish-"))
  try {
    const { storage } = await openStorage({ type: "local", path: folder })
    const store = { location: folder, folder, storage }
    const { journal } = await openShardRows(store, { index: 0, writer: "0-a", scratch: join(folder, "scratch") })
    for (const row of [rowOf(0, 1, FAILURE), rowOf(2, 1), rowOf(1, 1, FAILURE), rowOf(0, 2), rowOf(1, 2, FAILURE)]) {
      journal.append(row)
    }
    await journal.flush()
    const tasks = [{ name: "t", metrics: [], slices: [] }] as unknown as readonly TaskPlan[]
    const { segments, counts } = await publishSegments(store, journal, { index: 0, writer: "0-a", tasks })
    expect([segments.length, counts]).toEqual([1, { processed: 3, failed: 1 }])
    await journal.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
