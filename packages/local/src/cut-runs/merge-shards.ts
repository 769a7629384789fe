import { AssayError, printable } from "@assay/schemas"
import { formatInteger } from "@assay/reports"
import { type JobPlan, type JobEnvironment, type RunnableJob, runPlan, type RunPlanOptions } from "@assay/evaluation"
import { type PlanOutcome, type ResultsInput, writeResults } from "@assay/results"
import { parseFilePath } from "@assay/storage"
import { describeProgress, runEvaluation } from "@assay/attempts"
import { describeRecording } from "../local-recording.ts"
import { createFolderSink } from "../runs/results-folder.ts"
import { writeRunRecord } from "../runs/run-record.ts"
import {
  quoteForShell,
  listLastFailures,
  readFailure,
  readPlan,
  type ShardPlan,
  listDone,
  shardDamaged,
  type ShardRecord,
  laneTasks,
  unitsOf,
  type RunStore,
  shardOfFile,
} from "@assay/executors"
import { replayInputs } from "./copy-inputs.ts"
import { countedPlan } from "./shard-tasks.ts"
import { readRecords, readSegments, type SegmentRows } from "./read-segments.ts"
import { type MergedRun, writeMerged } from "./merged-run.ts"
import { checkDecided } from "./gates/check-decided.ts"

export interface MergeShardsOptions {
  readonly openEnvironment: (folder: string, workFolder: string) => JobEnvironment
  /** Absolute path of a folder of this machine that no other process uses. */
  readonly scratch: string
  /** Absolute path of a folder for the results. Default: they are written into the run. */
  readonly out?: string | undefined
  /** Versions and platform, for the results. */
  readonly programs: Readonly<Record<string, string>>
  readonly pid: number
  readonly now: () => number
  readonly signal: AbortSignal
}

/**
 * Computes the results of a run from the rows of all of its shards, and writes them. Asks no model. The same rows give the same results, however they
 * were cut and whoever asked them.
 * @throws `shards_missing` if the rows of a shard are not published
 */
export async function mergeShards(store: RunStore, options: MergeShardsOptions): Promise<MergedRun> {
  const plan = await readPlan(store)
  const { openEnvironment, scratch, signal } = options
  const done = new Set(await listDone(store, signal))
  const missing = [...plan.shards.keys()].filter((index) => !done.has(index))
  if (missing.length > 0) throw await shardsMissing(store, plan, missing)
  const records = await readRecords(store, [...plan.shards.keys()])
  checkWhole(store, plan, records)
  const opened = openEnvironment(plan.folder, scratch)
  const environment = {
    ...replayInputs(opened, store, plan),
    // Nothing is asked, so no key has to be here.
    resolveKey: async () => undefined,
    resolveSecret: async () => "",
  }
  const tasks = [...new Set(plan.shards.flat().map(({ task }) => task))]
  const journal = readSegments(store, { records, tasks, lanes: laneTasks(plan) })
  const job: RunnableJob = { id: plan.id, ...plan.job, attempt: 1, scope: { kind: "run" } }
  const outcome = await runEvaluation(job, environment, {
    journal: { ...journal, append: () => {}, flush: async () => {}, close: async () => {} },
    signal,
    filesUrl: null,
    findings: records.map(({ findings }) => findings),
    runRows: (planned, runOptions) => sumRows(planned, { store, plan, records, damage: journal.damage }, runOptions),
    onProgress: () => {},
    onLog: () => {},
    onConditions: () => {},
  })
  signal.throwIfAborted()
  const input = {
    ...outcome,
    job: describeJob(plan, options),
    gates: plan.gates,
    journal,
    log: logOf(records),
    environment: options.programs,
    recording: await describeRecording(
      { recording_name: plan.recording?.name, recording: plan.recording?.folder },
      signal,
    ),
  }
  const gates = await writeResults(input, sinkOf(store, options), { signal })
  const details = describeProgress(outcome.progress, outcome.message)
  const merged = { id: plan.id, folder: options.out ?? store.folder ?? store.location, outcome, details, gates }
  await noteMerged(store, plan, { ...options, merged })
  return merged
}

/** Checks that each record is about its shard, so that no row is counted twice or left out. @throws `content_damaged` */
function checkWhole(store: RunStore, { shards }: ShardPlan, records: readonly ShardRecord[]): void {
  const paths = new Set<string>()
  for (const { index, progress, end, segments } of records) {
    const units = unitsOf(shards[index] ?? [])
    if (end.kind === "finished" && progress.processed !== units) {
      throw shardDamaged(store, index, `its record has ${progress.processed} rows and repeats instead of ${units}`)
    }
    for (const { segment } of segments) {
      if (paths.has(segment.path)) throw shardDamaged(store, index, `${segment.path} belongs to another shard`)
      paths.add(segment.path)
    }
  }
}

interface PublishedRows extends Pick<SegmentRows, "damage"> {
  readonly store: RunStore
  readonly plan: ShardPlan
  readonly records: readonly ShardRecord[]
}

/** Counts the published rows as if this process had asked them. */
async function sumRows(
  planned: JobPlan,
  { store, plan, records, damage }: PublishedRows,
  options: RunPlanOptions,
): Promise<PlanOutcome> {
  const sumOptions = { ...options, job: { attempt: 1, scope: { kind: "sum" as const } }, onProgress: () => {} }
  const summed = await runPlan(countedPlan(planned, plan), sumOptions)
  const damaged = damage()
  if (damaged !== undefined) throw damaged
  const { processed, total } = summed.progress
  const asked = records.reduce((sum, { progress }) => sum + progress.processed, 0)
  if (processed !== asked || processed > (total ?? 0)) {
    const message = `The segments of the run have ${processed} rows and repeats, and its records ${asked}: files of the run were changed.`
    throw new AssayError("content_damaged", message)
  }
  const early = records.flatMap(({ index, end }) => (end.kind === "share" ? [index] : []))
  // Its failed rows were asked again, and it was not.
  if (early.length > 0 && summed.end.kind === "finished") throw await shardsMissing(store, plan, early)
  checkDecided({ planned, records, summed }, store)
  const budget = records.map(({ end }) => end).find((end) => end.kind === "budget")
  const isWhole = processed >= (total ?? 0)
  return budget === undefined || isWhole || summed.end.kind !== "finished" ? summed : { ...summed, end: budget }
}

function describeJob({ id, job, created_at }: ShardPlan, { now }: MergeShardsOptions): ResultsInput["job"] {
  return {
    id,
    ...job,
    created_at: new Date(created_at).toISOString(),
    finished_at: new Date(now()).toISOString(),
  }
}

function logOf(records: readonly ShardRecord[]): ResultsInput["log"] {
  return records.flatMap(({ log }) => log).toSorted((a, b) => a.at - b.at)
}

/** Returns where the results go: to a folder, or into the run, where two merges can write at the same time. */
function sinkOf({ storage }: RunStore, { out }: MergeShardsOptions): Parameters<typeof writeResults>[1] {
  if (out !== undefined) return createFolderSink(out)
  return { write: async (path, open) => void (await storage.write(parseFilePath(path), open())) }
}

interface Merged extends MergeShardsOptions {
  readonly merged: MergedRun
}

/** Records the end of a merge, for those who follow the run, and so that the commands about runs of this machine know its folder. */
async function noteMerged(store: RunStore, plan: ShardPlan, { out, merged, pid, now }: Merged): Promise<void> {
  const { status, message } = merged.outcome
  const folder = out ?? store.folder
  if (folder !== undefined) {
    await writeRunRecord(folder, {
      id: plan.id,
      digest: "",
      status,
      attempt: 1,
      pid,
      file: null,
      overrides: {},
      created_at: plan.created_at,
      message,
      is_asked: true,
      progress: 100,
      shards: plan.shards.length,
    })
  }
  await writeMerged(store, merged, now())
}

/** Shards that a message names. */
const SHOWN = 10

/** Returns the error of a run whose shards are not all done. */
async function shardsMissing(store: RunStore, plan: ShardPlan, missing: readonly number[]): Promise<AssayError> {
  const failures = await listLastFailures(store)
  const name = printable(store.location)
  const shown = missing.slice(0, SHOWN).join(", ")
  const more = missing.length > SHOWN ? ", …" : ""
  const count = formatInteger(missing.length)
  const of = `${count} of ${formatInteger(plan.shards.length)} shards of '${name}' have no rows yet: ${shown}${more}.`
  const last = failures.find(({ path }) => missing.includes(shardOfFile(path)))
  const failure = last && (await readFailure(store, last.path))
  const why = failure === undefined ? "" : ` Shard ${failure.index} failed: ${failure.message}`
  const message = `${of}${why}`
  return new AssayError("shards_missing", message, {
    context: {
      missing: missing.slice(0, 1000),
      remedy: `If nothing runs them: assay eval shard ${printable(quoteForShell(store.location))} --index ${missing[0] ?? 0}. To wait for them: assay eval merge ${printable(quoteForShell(store.location))} --wait 30.`,
    },
  })
}
