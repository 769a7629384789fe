// Usage: npm run scale [-- --rows 100000 --workers 8 --kills 3 --latency 500 --parallelism 256].
import process from "node:process"
import { parseArgs } from "node:util"
import { runWithKills } from "./run-with-kills.ts"

const option = (value: number) => ({ type: "string" as const, default: String(value) })
const { values } = parseArgs({
  options: {
    rows: option(20_000),
    workers: option(2),
    servers: option(2),
    parallelism: option(64),
    "shard-rows": option(1000),
    latency: option(20),
    kills: option(0),
  },
})
const result = await runWithKills(
  {
    rows: Number(values.rows),
    workers: Number(values.workers),
    servers: Number(values.servers),
    parallelism: Number(values.parallelism),
    shardRows: Number(values["shard-rows"]),
    latencyMs: Number(values.latency),
    kills: Number(values.kills),
    replaces: true,
  },
  (line) => process.stderr.write(`${line}\n`),
)
const rate = Number(values.rows) / result.seconds
process.stdout.write(`${JSON.stringify({ ...result, rows_per_second: Math.round(rate) }, null, 2)}\n`)
process.exitCode = result.faults.length === 0 && result.status === "COMPLETED" ? 0 : 1
