import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { runWithKills } from "./run-with-kills.ts"

it(
  "A job of 1,500 rows on two workers, with two kills, has every row once, and asks only those again that were in flight",
  verifies("scale.short-run"),
  async () => {
    // An endpoint with this latency needs six seconds for the rows, so that the kills are well apart. `npm run scale` runs more rows.
    const job = { rows: 1500, parallelism: 32, shardRows: 75, latencyMs: 120 }
    const lines: string[] = []
    const result = await runWithKills({ ...job, workers: 2, servers: 0, kills: 2, replaces: true }, (line) =>
      lines.push(line),
    )
    expect({ lines, ...result }).toMatchObject({ status: "COMPLETED", faults: [] })
    const kills = lines.filter((line) => line.startsWith("Killed"))
    expect(kills).toHaveLength(2)
    // The progress that decides about a kill is a second old, so a late kill can come while nothing is asked. The first one can't.
    expect(kills[0]).not.toContain("with 0 requests")
  },
)
