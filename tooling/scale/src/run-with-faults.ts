import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { callAnyServer, callServer } from "./call.ts"
import { checkRun, type RunFacts } from "./check-run.ts"
import { openNetwork, type Network } from "./cluster/open-network.ts"
import { startCluster } from "./cluster/start-cluster.ts"
import { startEndpoint } from "./cluster/start-endpoint.ts"
import { startProcess } from "./cluster/start-process.ts"
import { startStorage, type ObjectStorage } from "./cluster/start-storage.ts"
import { injectFaults, type InjectedFaults } from "./faults/inject-faults.ts"
import { launchSmallJobs, type SmallJobs } from "./faults/launch-small-jobs.ts"
import { measureListings, type ListingFacts } from "./faults/measure-listings.ts"
import type { FaultKind } from "./faults/plan-faults.ts"
import { slowListings, type SlowListings } from "./faults/slow-listings.ts"
import { findPauses, type Pause } from "./find-pauses.ts"
import { limitedFacts, type LimitedFacts } from "./limited-facts.ts"
import { launchJob, readOutput, untilEnded } from "./run-job.ts"

export interface FaultyRun {
  readonly rows: number
  readonly workers: number
  readonly servers: number
  readonly parallelism: number
  readonly shardRows: number
  readonly latencyMs: number
  /** Questions a second that the endpoint answers. Absent: any number. */
  readonly perSecond?: number | undefined
  readonly kinds: readonly FaultKind[]
  readonly seed: number
  /** Seconds between two faults. */
  readonly restSeconds: number
}

export interface FaultyResult extends RunFacts {
  readonly status: string
  readonly seconds: number
  readonly peak: number
  readonly network: Network["kind"]
  readonly storage: ObjectStorage["kind"]
  readonly injected: Omit<InjectedFaults, "begun">
  /** Requests that the storage refused. */
  readonly refused: number
  /** Whether scores, intervals and counts are those of a job with the same rows on one process. */
  readonly equalsOneWorker: boolean
  readonly smallJobs: SmallJobs
  /** Listings of filesets before the job, and while it ran. `slow`: those that then took longer than is allowed. */
  readonly listings: {
    readonly quiet: ListingFacts
    readonly busy: ListingFacts
    readonly slow: readonly SlowListings[]
  }
  /** The longest times in which nothing was asked. */
  readonly pauses: readonly Pause[]
  /** Undefined if the endpoint answered any number. */
  readonly limited: LimitedFacts | undefined
}

const QUIET_MS = 60_000
/** Maximum time of a listing, as a multiple of the slowest hundredth before the job. */
const SLOWER = 2
/** Milliseconds by which the clocks of one server and one worker are wrong. */
const CLOCK_SHIFT_MS = 5000

/** Runs one job while parts of its cluster fail, with an object store, workers on hosts of their own, and clocks that differ. */
export async function runWithFaults(run: FaultyRun, log: (line: string) => void): Promise<FaultyResult> {
  const network = openNetwork()
  const storage = await startStorage()
  try {
    log(`Workers have networks of their own by ${network.kind}. The storage is ${storage.kind}.`)
    return await runOn({ network, storage }, run, log)
  } finally {
    await storage.close()
    await network.close()
  }
}

async function runOn(
  { network, storage }: { readonly network: Network; readonly storage: ObjectStorage },
  run: FaultyRun,
  log: (line: string) => void,
): Promise<FaultyResult> {
  const { rows, parallelism, shardRows, perSecond } = run
  const cluster = await startCluster({ ...run, network, storage, clockShiftMs: CLOCK_SHIFT_MS })
  try {
    const { endpoint, servers } = cluster
    const urls = () => servers.map((server) => server.process().url)
    const call = callAnyServer(urls)
    const listings = measureListings(urls)
    await sleep(QUIET_MS)
    const { facts: quiet } = listings.next()
    const url = `http://${await network.publish(endpoint.port)}/v1`
    const begun = Date.now()
    const id = await launchJob(call, { rows, parallelism, shardRows, endpoint: url })
    const done = new AbortController()
    const { gateway } = storage
    const injecting = injectFaults(cluster, { ...run, gateway, signal: done.signal }, log)
    const launching = launchSmallJobs(call, { endpoint, url, signal: done.signal }, log)
    const job = await untilEnded(call, id)
    const seconds = (Date.now() - begun) / 1000
    log(`${job.status} after ${seconds.toFixed(1)} s: ${job.status_details.message}`)
    done.abort()
    const busy = await listings.stop()
    const [{ begun: faults, ...injected }, smallJobs] = await Promise.all([injecting, launching])
    if (job.status !== "COMPLETED") throw new Error(`The job ended ${job.status}: ${job.status_details.message}.`)
    const { questions, peak } = endpoint.history()
    const history = { questions, peak, inFlightAtKills: injected.inFlight }
    const [server = ""] = urls()
    const output = await readOutput(server, id)
    const facts = await checkRun({ rows, parallelism, history, output })
    const equalsOneWorker = output.scores === (await scoresOfOneWorker(run))
    return {
      status: job.status,
      seconds,
      ...facts,
      peak,
      equalsOneWorker,
      network: network.kind,
      storage: storage.kind,
      injected,
      refused: gateway.refused(),
      smallJobs,
      listings: { quiet, busy: busy.facts, slow: slowListings(busy.listings, faults, SLOWER * quiet.p99Ms) },
      pauses: findPauses(questions),
      limited: perSecond === undefined ? undefined : limitedFacts(questions, endpoint.refusals(), perSecond),
    }
  } finally {
    await cluster.close()
  }
}

/** Returns the scores of a job with the same rows that one process runs on a database of its own, as JSON. */
async function scoresOfOneWorker({ rows, parallelism, shardRows }: FaultyRun): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "assay-scale-one-"))
  const endpoint = await startEndpoint({ latencyMs: 0 })
  const server = await startProcess({ ASSAY_DATA_DIR: folder })
  try {
    const call = callServer(server.url)
    const id = await launchJob(call, { rows, parallelism, shardRows, endpoint: endpoint.url })
    await untilEnded(call, id)
    const { scores, lines } = await readOutput(server.url, id)
    for await (const _ of lines);
    return scores
  } finally {
    await server.kill()
    await endpoint.close()
    await rm(folder, { recursive: true })
  }
}
