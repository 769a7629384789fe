import { mkdtempDisposableSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { planOfShards } from "../testing/plan-of-shards.ts"
import { openTestRun } from "../testing/open-test-run.ts"
import { readRunState } from "./run-state.ts"
import { noteFailure } from "./shard-failures.ts"
import { writePlan } from "./shard-plan.ts"
import { writeProgress } from "./shard-progress.ts"

it("a shard whose next process counts runs, whatever the clock of the machine shows on which the last one failed", async () => {
  using root = mkdtempDisposableSync(join(tmpdir(), "assay-state-"))
  const store = await openTestRun(root.path, "run")
  await writePlan(
    store,
    planOfShards(root.path, { shards: [[{ task: "t", firstRow: 0, endRow: 10, repeats: 1 }]], atOnce: 1 }),
  )
  const stateOf = async () => (await readRunState(store)).shards[0]?.state
  const tokens = { prompt: 0, completion: 0, unsplit: 0, uncounted: 0 }
  const counts = { processed: 1, asked: 1, failed: 0, tokens, host: "a", started_at: 0, updated_at: 1000 }
  await writeProgress(store, 0, { ...counts, attempt: 1 })
  expect(await stateOf()).toBe("running")
  const findings = { errors: [], retries: [] }
  await noteFailure(store, { index: 0, attempt: 1, at: 999, code: "x", message: "no", findings })
  expect(await stateOf()).toBe("failed")
  await writeProgress(store, 0, { ...counts, attempt: 2, updated_at: 10 })
  expect(await stateOf()).toBe("running")
})
