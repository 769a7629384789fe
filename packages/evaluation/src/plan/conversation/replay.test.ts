import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startFakeInference, verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createRunner } from "../../testing/create-runner.ts"
import { planOf } from "../../testing/plan-of.ts"
import { testEnvironment } from "../../testing/test-environment.ts"

it(
  "a conversation asks only from its first turn without a recorded answer, also after a failure in between",
  verifies("run.recording"),
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "replay-"))
    const server = await startFakeInference()
    onTestFinished(async () => {
      await server.close()
      rmSync(folder, { recursive: true })
    })
    const hold = async (turns: readonly string[], repeats = 1) => {
      const before = server.requests.length
      const metrics = { tokens: { type: "tokens" } }
      const conversation = { turns: turns.map((user) => ({ user })) }
      const task = { type: "conversation", dataset: { rows: [{ q: "a" }] }, params: { conversation, repeats }, metrics }
      const plan = await planOf(
        { type: "model", model: { api_endpoint: { url: server.url, model_id: "echo" } } },
        { type: "custom", tasks: { t: task } },
        testEnvironment(undefined, { responseCacheFolder: folder }),
      )
      const { lines } = await createRunner()(plan)
      await plan.close()
      return { line: JSON.stringify(lines.at(-1)), asked: server.requests.length - before }
    }
    const first = await hold(["{{ q }}", "b", "c"])
    expect(first.asked).toBe(3)
    expect(await hold(["{{ q }}", "b", "c"])).toEqual({ ...first, asked: 0 })
    expect((await hold(["{{ q }}", "changed", "c"])).asked).toBe(2)
    expect((await hold(["{{ q }}", "b", "c"], 2)).asked).toBe(3)
    server.faults.add({ times: 1, fault: { kind: "condition", condition: "context-overflow" } })
    const failed = await hold(["{{ q }}", "b", "new", "last"])
    expect([failed.asked, failed.line.includes("context_overflow")]).toEqual([1, true])
    expect((await hold(["{{ q }}", "b", "new", "last"])).asked).toBe(2)
  },
)
