import { verifies } from "@assay/testkit/verifies"
import { expect, it } from "vitest"
import { runWithKills } from "./run-with-kills.ts"

it(
  "A job on two workers, one of which is killed, has every row once, and asks only those again that were in flight",
  verifies("scale.short-run"),
  async () => {
    const job = { rows: 600, parallelism: 32, shardRows: 50, latencyMs: 200 }
    const result = await runWithKills({ ...job, workers: 2, servers: 0, kills: 1, replaces: false }, () => {})
    expect(result).toMatchObject({ status: "COMPLETED", faults: [] })
  },
)
