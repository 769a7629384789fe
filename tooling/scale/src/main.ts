// Usage: npm run scale [-- --rows 100000 --workers 8 --kills 3 --latency 500 --parallelism 256].
// With --rate 50, the endpoint answers 50 questions a second and refuses the others.
// With --upgrade FOLDER, the processes start from another checkout, and this version replaces them while the job runs.
// With --overhead, one process runs the job in shards and without, in turn, and the costs are compared: [--pairs 6 --latency 0].
// With --faults, parts of the cluster fail while the job runs: [--kinds worker,server,database,storage,partition --rest 5 --seed 1].
// With --engines, a job runs in shards as processes of this machine, some of which are killed: [--shards 16 --at-once 4 --pairs 10 --kills 20].
// With --kubernetes, it runs in pods of a small API server, some of which are killed while the server is away: [--shards 16 --at-once 4 --kills 10 --away 20].
// With --disk-faults, every call on the disk fails once in every operation of a server: [--only "DELETE a file" --checkout FOLDER].
// With --power-loss, the power fails at many moments: [--steps 8 --moments 40 --seed 1 --checkout FOLDER].
import { resolve } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { runDiskFaults, runDiskPowerLoss } from "./disk/run-disk.ts"
import { runEngines } from "./engines/run-engines.ts"
import { runKubernetes } from "./engines/run-kubernetes.ts"
import { FAULT_KINDS, type FaultKind } from "./faults/plan-faults.ts"
import { runOverhead } from "./overhead/run-overhead.ts"
import { runUpgrade } from "./run-upgrade.ts"
import { runWithFaults } from "./run-with-faults.ts"
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
    rate: { type: "string" },
    upgrade: { type: "string" },
    overhead: { type: "boolean", default: false },
    pairs: option(6),
    engines: { type: "boolean", default: false },
    kubernetes: { type: "boolean", default: false },
    away: option(20),
    shards: option(16),
    "at-once": option(4),
    faults: { type: "boolean", default: false },
    kinds: { type: "string", default: FAULT_KINDS.join() },
    rest: option(5),
    seed: option(1),
    "disk-faults": { type: "boolean", default: false },
    "power-loss": { type: "boolean", default: false },
    only: { type: "string", default: "" },
    steps: option(8),
    moments: option(40),
    checkout: { type: "string" },
  },
})
const job = {
  rows: Number(values.rows),
  workers: Number(values.workers),
  servers: Number(values.servers),
  parallelism: Number(values.parallelism),
  shardRows: Number(values["shard-rows"]),
  latencyMs: Number(values.latency),
  perSecond: values.rate === undefined ? undefined : Number(values.rate),
}
const log = (line: string) => process.stderr.write(`${line}\n`)
if (values["disk-faults"] || values["power-loss"]) await runDisk()
else {
  const result = await run()
  const rate = Number(values.rows) / result.seconds
  process.stdout.write(`${JSON.stringify({ ...result, rows_per_second: Math.round(rate) }, null, 2)}\n`)
  process.exitCode = result.faults.length === 0 && result.status === "COMPLETED" ? 0 : 1
}

async function runDisk(): Promise<void> {
  const { only, steps, moments, seed, checkout } = values
  const options = {
    only,
    steps: Number(steps),
    moments: Number(moments),
    seed: Number(seed),
    checkout: checkout && resolve(checkout),
  }
  const result = values["disk-faults"] ? await runDiskFaults(options, log) : await runDiskPowerLoss(options, log)
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  process.exitCode = result.faults.length === 0 ? 0 : 1
}

function run() {
  if (values.upgrade !== undefined) return runUpgrade({ ...job, checkout: resolve(values.upgrade) }, log)
  if (values.engines || values.kubernetes) {
    const { shards, "at-once": atOnce, kills, pairs, away } = values
    const numbers = { ...job, shards: Number(shards), atOnce: Number(atOnce), kills: Number(kills) }
    if (values.kubernetes) return runKubernetes({ ...numbers, awaySeconds: Number(away) }, log)
    return runEngines({ ...numbers, pairs: Number(pairs) }, log)
  }
  if (values.overhead) return runOverhead({ ...job, pairs: Number(values.pairs) }, log)
  if (!values.faults) return runWithKills({ ...job, kills: Number(values.kills), replaces: true }, log)
  const kinds = values.kinds.split(",").map(kindOf)
  return runWithFaults({ ...job, kinds, seed: Number(values.seed), restSeconds: Number(values.rest) }, log)
}

function kindOf(text: string): FaultKind {
  const kind = FAULT_KINDS.find((one) => one === text)
  if (kind === undefined) throw new Error(`There is no fault '${text}'; use ${FAULT_KINDS.join(", ")}.`)
  return kind
}
