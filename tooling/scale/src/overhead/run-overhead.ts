import process from "node:process"
import { callServer } from "../call.ts"
import { checkRun } from "../check-run.ts"
import { type Cluster, startCluster } from "../cluster/start-cluster.ts"
import { launchJob, readOutput, untilEnded } from "../run-job.ts"
import { readProcessorTime } from "./processor-time.ts"

export interface OverheadRun {
  readonly rows: number
  readonly parallelism: number
  readonly shardRows: number
  readonly latencyMs: number
  /** How often the job runs in shards and without. */
  readonly pairs: number
}

/** One run of the job. Times are in seconds, from the upload of the rows to the results. */
export interface OverheadSample {
  readonly isCut: boolean
  readonly seconds: number
  readonly server: number
  /** The endpoint does the same work in each run. */
  readonly endpoint: number
  readonly postgres: number
  readonly faults: readonly string[]
}

/** The cost of shards. */
export interface OverheadResult {
  readonly status: string
  readonly faults: readonly string[]
  /** Mean duration of the job in shards. */
  readonly seconds: number
  /** Processor time of the server. */
  readonly server: Comparison
  /** The same, to that of the endpoint. */
  readonly serverToEndpoint: Comparison
  /** Processor time of the server, the endpoint and PostgreSQL. */
  readonly all: Comparison
  readonly duration: Comparison
}

interface Comparison {
  /** Means over the pairs. */
  readonly cut: number
  readonly whole: number
  /** The median over the pairs of how much more shards cost. 0.05 is 5 %. */
  readonly overhead: number
  readonly overheads: readonly number[]
}

/** Runs a job in shards and without, in turn, in one process, and compares what both cost. */
export async function runOverhead(run: OverheadRun, log: (line: string) => void): Promise<OverheadResult> {
  const { latencyMs, pairs } = run
  const cluster = await startCluster({ servers: 0, workers: 1, latencyMs })
  const samples: OverheadSample[] = []
  try {
    // The first pair runs code that is not compiled yet, and does not count.
    for (let pair = 0; pair <= pairs; pair++) {
      // The one that begins changes, because a machine can become slower from run to run.
      for (const isCut of pair % 2 === 0 ? [true, false] : [false, true]) {
        const sample = await runOnce(cluster, run, { isCut, subject: `pair-${pair}-${isCut ? "cut" : "whole"}` })
        if (pair > 0) samples.push(sample)
        log(describe(sample, pair))
      }
    }
  } finally {
    await cluster.close()
  }
  const duration = compare(samples, ({ seconds }) => seconds)
  return {
    status: "COMPLETED",
    faults: samples.flatMap((sample) => sample.faults),
    seconds: duration.cut,
    server: compare(samples, ({ server }) => server),
    serverToEndpoint: compare(samples, ({ server, endpoint }) => server / endpoint),
    all: compare(samples, ({ server, endpoint, postgres }) => server + endpoint + postgres),
    duration,
  }
}

interface Once {
  readonly isCut: boolean
  readonly subject: string
}

async function runOnce(
  { workers, endpoint }: Cluster,
  { rows, parallelism, shardRows }: OverheadRun,
  { isCut, subject }: Once,
): Promise<OverheadSample> {
  const { url, pid } = workers[0]?.process() ?? { url: "", pid: 0 }
  const call = callServer(url)
  const times = () => readProcessorTime([process.pid, pid])
  const [begun, before] = [Date.now(), await times()]
  const id = await launchJob(call, {
    rows,
    parallelism,
    shardRows: isCut ? shardRows : rows,
    endpoint: endpoint.url,
    subject,
  })
  const { status } = await untilEnded(call, id)
  const [ended, after] = [Date.now(), await times()]
  const spent = (of: number, part: "self" | "children") =>
    (after.get(of)?.[part] ?? Number.NaN) - (before.get(of)?.[part] ?? Number.NaN)
  const history = { questions: [], peak: 0, inFlightAtKills: 0 }
  const { faults } = await checkRun({ rows, parallelism, history, output: await readOutput(url, id) })
  return {
    isCut,
    seconds: (ended - begun) / 1000,
    server: spent(pid, "self"),
    endpoint: spent(process.pid, "self"),
    postgres: spent(process.pid, "children"),
    faults: status === "COMPLETED" ? faults : [`The job ended ${status}.`, ...faults],
  }
}

function describe({ isCut, seconds, server, endpoint, postgres }: OverheadSample, pair: number): string {
  const parts = `server ${server.toFixed(2)}, endpoint ${endpoint.toFixed(2)}, PostgreSQL ${postgres.toFixed(2)} s`
  const name = pair === 0 ? "Warm-up" : `Pair ${pair}`
  return `${name}, ${isCut ? "in shards" : "without"}: ${seconds.toFixed(1)} s; processor: ${parts}`
}

function compare(samples: readonly OverheadSample[], valueOf: (sample: OverheadSample) => number): Comparison {
  const valuesOf = (isCut: boolean) => samples.filter((sample) => sample.isCut === isCut).map(valueOf)
  const [cut, whole] = [valuesOf(true), valuesOf(false)]
  const overheads = cut.map((value, at) => round(value / (whole[at] ?? Number.NaN) - 1))
  return { cut: round(mean(cut)), whole: round(mean(whole)), overhead: median(overheads), overheads }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return round(((low ?? Number.NaN) + (high ?? Number.NaN)) / 2)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
