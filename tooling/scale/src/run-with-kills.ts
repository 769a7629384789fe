import { setTimeout as sleep } from "node:timers/promises"
import { callServer, type Call } from "./call.ts"
import { checkRun, type RunFacts } from "./check-run.ts"
import { getJob, launchJob, readOutput, untilEnded } from "./run-job.ts"
import { startCluster, type Cluster } from "./cluster/start-cluster.ts"
import { limitedFacts, type LimitedFacts } from "./limited-facts.ts"

export interface ScaleRun {
  readonly rows: number
  readonly workers: number
  readonly servers: number
  readonly parallelism: number
  readonly shardRows: number
  readonly latencyMs: number
  /** Questions a second that the endpoint answers. Absent: any number. */
  readonly perSecond?: number | undefined
  /** How many workers are killed while the job runs. */
  readonly kills: number
  /** Whether another worker is started for each one that is killed. */
  readonly replaces: boolean
}

export interface ScaleResult extends RunFacts {
  readonly status: string
  readonly seconds: number
  readonly peak: number
  readonly inFlightAtKills: number
  /** Undefined if the endpoint answered any number. */
  readonly limited?: LimitedFacts
}

/** Runs one job on a new cluster, kills workers in the meantime, and checks the outcome. */
export async function runWithKills(run: ScaleRun, log: (line: string) => void): Promise<ScaleResult> {
  const cluster = await startCluster(run)
  try {
    return await runOn(cluster, run, log)
  } finally {
    await cluster.close()
  }
}

async function runOn(cluster: Cluster, run: ScaleRun, log: (line: string) => void): Promise<ScaleResult> {
  const { rows, parallelism, shardRows } = run
  const { endpoint, servers } = cluster
  const url = servers[0]?.process().url ?? ""
  const call = callServer(url)
  const begun = Date.now()
  const id = await launchJob(call, { rows, parallelism, shardRows, endpoint: endpoint.url })
  const inFlightAtKills = await killWorkers(cluster, { ...run, call, id }, log)
  const job = await untilEnded(call, id)
  const seconds = (Date.now() - begun) / 1000
  log(`${job.status} after ${seconds.toFixed(1)} s: ${job.status_details.message}`)
  if (job.status !== "COMPLETED") throw new Error(`The job ended ${job.status}: ${job.status_details.message}.`)
  const { questions, peak } = endpoint.history()
  const facts = await checkRun({
    rows,
    parallelism,
    history: { questions, peak, inFlightAtKills },
    output: await readOutput(url, id),
  })
  const { perSecond } = run
  const result = { ...facts, status: job.status, seconds, peak, inFlightAtKills }
  if (perSecond === undefined) return result
  return { ...result, limited: limitedFacts(questions, endpoint.refusals(), perSecond) }
}

interface Kills extends Pick<ScaleRun, "rows" | "kills" | "replaces"> {
  readonly call: Call
  readonly id: string
}

/** Kills a worker each time that another part of the rows is done. Returns the rows that were asked and not yet durable at the kills. */
async function killWorkers(
  { endpoint, workers }: Cluster,
  { call, id, rows, kills, replaces }: Kills,
  log: (line: string) => void,
): Promise<number> {
  let inFlight = 0
  for (let kill = 1; kill <= kills; kill++) {
    const due = (rows * kill) / (kills + 1)
    for (;;) {
      const { status, status_details: details } = await getJob(call, id)
      if ((details.samples_processed ?? 0) >= due || !["PENDING", "RUNNING", "UNAVAILABLE"].includes(status)) break
      await sleep(100)
    }
    // Not the first one, which may serve the requests of this run.
    const at = 1 + (kill % (workers.length - 1))
    const worker = workers[at]
    if (worker === undefined) break
    const flying = endpoint.unsaved()
    inFlight += flying
    if (replaces) await worker.restart()
    else await worker.process().kill()
    log(`Killed worker ${at} after ${Math.round(due)} rows, with ${flying} requests in flight.`)
  }
  return inFlight
}
