import { setTimeout as sleep } from "node:timers/promises"
import type { Call } from "../call.ts"
import type { Endpoint } from "../cluster/start-endpoint.ts"
import { getJob, getLog, launchJob } from "../run-job.ts"

export interface SmallJobs {
  readonly count: number
  /** Seconds from the launch until the first row of a job was asked, the longest one. */
  readonly maxSeconds: number
  /** Jobs whose first row was asked only after more than `MAX_WAIT_SECONDS`, or never. */
  readonly late: number
}

const EVERY_SECONDS = 20
const MAX_WAIT_SECONDS = 60
const ROWS = 10

/** The wait that is promised for a system without faults. Longer ones are logged. */
const USUAL_SECONDS = 5

/** Launches a job of ten rows every 20 seconds until the signal, and measures how long each one waits for its first row. */
export async function launchSmallJobs(
  call: Call,
  { endpoint, url, signal }: { readonly endpoint: Endpoint; readonly url: string; readonly signal: AbortSignal },
  log: (line: string) => void,
): Promise<SmallJobs> {
  const waits: number[] = []
  let late = 0
  for (let number = 1; ; number++) {
    await sleep(EVERY_SECONDS * 1000, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    const subject = `small-${number}`
    const id = await launchJob(call, { rows: ROWS, parallelism: 2, shardRows: 1000, endpoint: url, subject })
    const launched = new Date().toISOString()
    const seconds = await untilAsked(endpoint, subject)
    if ((seconds ?? MAX_WAIT_SECONDS) > USUAL_SECONDS) {
      const { status, status_details: details } = await getJob(call, id)
      const waited = seconds === undefined ? "was not asked" : `waited ${seconds.toFixed(1)} s`
      log(`The small job '${id}' of ${launched} ${waited}. It is ${status}: ${details.message}`)
      log((await getLog(call, id)).trimEnd().replaceAll(/^/gm, "    "))
    }
    if (seconds === undefined) late += 1
    else waits.push(seconds)
  }
  return { count: waits.length + late, maxSeconds: Math.max(0, ...waits), late }
}

/** Waits for the first row of a job that was launched just now. */
async function untilAsked(endpoint: Endpoint, subject: string): Promise<number | undefined> {
  const launched = Date.now()
  while (Date.now() - launched < MAX_WAIT_SECONDS * 1000) {
    const at = endpoint.firstAsked(subject)
    if (at !== undefined) return Math.max(0, at - launched) / 1000
    await sleep(20)
  }
  return undefined
}
