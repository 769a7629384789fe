import { boundText, printable } from "@assay/schemas"
import type { ShardProcess } from "../executor.ts"
import { parseIndexes } from "./array-indexes.ts"

/** A task of an array, as squeue or sacct shows it. */
export interface SlurmTask {
  readonly job: string
  /** The index in the array. */
  readonly index: number
  /** A word such as `PENDING`. */
  readonly state: string
  readonly node: string | undefined
  /** Why a pending task waits. */
  readonly waitsFor: string | undefined
}

/** The fields that `parseSqueue` reads: job and index of the array, state, nodes and reason. */
export const SQUEUE_FORMAT = "%F|%K|%T|%N|%r"

/**
 * Reads the lines of squeue in `SQUEUE_FORMAT`. A pending array can be one line with the index `4-7%2`. Slurm joins the reasons of its tasks with
 * commas. Lines that are not tasks of an array are left out: headings of clusters, and other jobs.
 */
export function parseSqueue(text: string): readonly SlurmTask[] {
  return text.split("\n").flatMap((line) => {
    const [job = "", index = "", state = "", node = "", ...reason] = line.trim().split("|")
    if (!/^\d+$/.test(job)) return []
    const task = { job, state: wordOf(state), node: shownName(node), waitsFor: shownName(reason.join("|")) }
    return parseIndexes(index).map((one) => ({ ...task, index: one }))
  })
}

/** The fields that `parseSacct` reads. */
export const SACCT_FORMAT = "JobID,State,NodeList"

/** Reads the lines of `sacct --parsable2`, such as `123_4|CANCELLED by 1000|node7`, without steps such as `123_4.batch`. */
export function parseSacct(text: string): readonly SlurmTask[] {
  return text.split("\n").flatMap((line) => {
    const [id = "", state = "", node = ""] = line.trim().split("|")
    const [, job, index] = /^(\d+)_(\d+|\[[^\]]*\])$/.exec(id) ?? []
    if (job === undefined || index === undefined) return []
    const task = { job, state: wordOf(state), node: shownName(node), waitsFor: undefined }
    return parseIndexes(index).map((one) => ({ ...task, index: one }))
  })
}

/** `CANCELLED by 1000`, and `CANCELLED+` in tables, are `CANCELLED`. */
function wordOf(state: string): string {
  return /^[A-Z_]+/.exec(state)?.[0] ?? "UNKNOWN"
}

function shownName(text: string): string | undefined {
  return ["", "None", "(null)", "None assigned", "N/A"].includes(text) ? undefined : printable(boundText(text, 200))
}

/** States in which no process runs, and Slurm will start one. */
const WAITING: ReadonlySet<string> = new Set([
  "CONFIGURING",
  "PENDING",
  "POWER_UP_NODE",
  "REQUEUED",
  "REQUEUE_FED",
  "REQUEUE_HOLD",
  "RESV_DEL_HOLD",
  "SPECIAL_EXIT",
])

/** States in which no process runs any more. */
const ENDED: ReadonlySet<string> = new Set([
  "BOOT_FAIL",
  "CANCELLED",
  "COMPLETED",
  "DEADLINE",
  "FAILED",
  "LAUNCH_FAILED",
  "NODE_FAIL",
  "OUT_OF_MEMORY",
  "PREEMPTED",
  "RECONFIG_FAIL",
  "REVOKED",
  "TIMEOUT",
])

/**
 * Returns a shard as squeue shows its task. Every other state, such as `COMPLETING` while the node ends the process, counts as running: an ended task
 * leaves the queue.
 */
export function processOfTask(shard: number, { state, node, waitsFor }: SlurmTask): ShardProcess {
  if (WAITING.has(state)) {
    return { index: shard, state: "waiting", location: node, reason: state === "PENDING" ? waitsFor : state }
  }
  if (ENDED.has(state)) return { index: shard, state: "ended", location: node, reason: state }
  return { index: shard, state: "running", location: node, reason: state === "RUNNING" ? undefined : state }
}

/** Returns whether no process of a task runs any more. */
export function hasEnded({ state }: Pick<SlurmTask, "state">): boolean {
  return ENDED.has(state)
}
