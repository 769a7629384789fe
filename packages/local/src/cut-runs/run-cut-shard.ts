import { join } from "node:path"
import { AssayError, type DatasetPin, messageOf, printable } from "@assay/schemas"
import { createRequestPacers, type SharedPaces } from "@assay/inference"
import { type JobEnvironment, type JobPlan, planJob, runPlan, type TaskPlan } from "@assay/evaluation"
import { createConditionFinder, type JobLogLine, type JobProgress, type PlanOutcome } from "@assay/results"
import { deleteAll } from "@assay/storage"
import { costOfTarget, NO_PROGRESS } from "@assay/attempts"
import { replayInputs } from "./copy-inputs.ts"
import { openSharedGates, type SharedGates } from "./gates/shared-gates.ts"
import { publishSegments } from "./publish-segments.ts"
import {
  countFailures,
  noteFailure,
  readPlan,
  type ShardPlan,
  publishRecord,
  readShardRecord,
  type ShardEnd,
  unitsOf,
  type RunStore,
  runFiles,
} from "@assay/executors"
import { startReporter } from "./shard-reporter.ts"
import { mayFailIn, orderOfTask, rateOfShard, tasksOfShard } from "./shard-tasks.ts"
import { openShardRows, type ShardRows } from "./store/shard-rows.ts"

export interface CutShardOptions {
  readonly index: number
  /** Returns the environment of the job. Paths of the job are relative to `folder`. */
  readonly openEnvironment: (folder: string, workFolder: string) => JobEnvironment
  /** Absolute path of a folder of this machine that no other process uses. */
  readonly scratch: string
  /** The name of this machine, for those who follow the run. */
  readonly host: string
  /** The rates of the endpoints, which other processes share. Default: those that this process finds alone. */
  readonly paces?: SharedPaces | undefined
  /** Receives once that they do not respond. The log has it, too. */
  readonly onNotShared?: (message: string) => void
  readonly onProgress: (progress: JobProgress) => void
  readonly onLog: (line: JobLogLine) => void
  readonly signal: AbortSignal
}

/** How a process of a shard ended. */
export type CutShardEnd =
  /** `isFirst`: this process published its rows. Else another one did before. */
  | { readonly kind: "published"; readonly isFirst: boolean; readonly progress: JobProgress }
  /** The rows that were answered are kept; the next process asks the others. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly progress: JobProgress }

/**
 * Runs one shard of a run: asks its rows, keeps each within a second, and publishes them in one step. A process that is started again asks only rows
 * that are missing. Two processes of one shard end with the rows of one of them.
 * @throws `bad_document` if the location has no plan, or if a dataset has changed since the job was cut; the reason of the signal
 */
export async function runCutShard(store: RunStore, options: CutShardOptions): Promise<CutShardEnd> {
  const plan = await readPlan(store)
  const { index, scratch, openEnvironment, signal } = options
  const ranges = plan.shards[index]
  if (ranges === undefined) {
    const message = `The run ${printable(store.location)} has the shards 0 to ${plan.shards.length - 1}, and no shard ${index}.`
    throw new AssayError("bad_usage", message)
  }
  if ((await readShardRecord(store, index)) !== undefined) {
    return { kind: "published", isFirst: false, progress: NO_PROGRESS }
  }
  const opened = replayInputs(openEnvironment(plan.folder, join(scratch, "work")), store, plan)
  const log = createShardLog(options.onLog, opened.now)
  const environment = withPaces(opened, options, log.add)
  const planned = await planJob({ ...plan.job, id: plan.id }, environment, {
    signal,
    keepsOrder: true,
    ofRate: rateOfShard(index, plan.at_once, environment.now),
  })
  try {
    checkPins(planned.pins, plan, store)
    return await askAndPublish(store, plan, { ...options, planned, environment, log })
  } finally {
    await planned.close()
  }
}

interface AskOptions extends CutShardOptions {
  /** The plan of the whole job. */
  readonly planned: JobPlan
  readonly environment: JobEnvironment
  readonly log: ShardLog
}

async function askAndPublish(store: RunStore, plan: ShardPlan, options: AskOptions): Promise<CutShardEnd> {
  const { index, environment, scratch } = options
  const writer = `${String(environment.now()).padStart(15, "0")}-${environment.newId("p").slice(2, 10)}`
  const rows = await openShardRows(store, { index, writer, scratch: join(scratch, "rows") })
  let isPublished = false
  try {
    const end = await ask(store, plan, { rows, writer, options })
    isPublished = end.kind === "published"
    return end
  } finally {
    await rows.journal.close().catch(() => {})
    // Nobody needs what other processes of this shard still write.
    if (isPublished) await rows.remove().catch(() => {})
  }
}

interface Asking {
  readonly rows: ShardRows
  readonly writer: string
  readonly options: AskOptions
}

async function ask(store: RunStore, plan: ShardPlan, asking: Asking): Promise<CutShardEnd> {
  const { rows, writer, options } = asking
  const { index, environment, log, signal } = options
  const attempt = (await countFailures(store, index)) + 1
  const finder = createConditionFinder({ now: environment.now, tasks: Object.keys(plan.job.config.tasks ?? {}) })
  const gates = await openGates(store, plan, asking)
  const tasks = tasksOfShard(options.planned, plan.shards[index] ?? [], plan).map((task) => ({
    ...task,
    isDecided: () => gates.isDecided(task.name),
  }))
  const { end, progress } = await askRows(store, plan, { ...asking, tasks, gates, attempt, finder })
  const findings = finder.findings()
  if (end.kind === "aborted") throw signal.reason
  if (end.kind === "failed") {
    // On a full disk the failure itself says more than that it can't be noted.
    await noteFailure(store, { index, attempt, at: environment.now(), ...end, findings }).catch(() => {})
    return { ...end, progress }
  }
  const { processed, tokens } = progress
  const ended = checkEnd(store, plan, { index, end, processed, decided: gates.decided() })
  const { segments, counts } = await publishSegments(store, rows.journal, { index, writer, tasks })
  const record = {
    index,
    segments,
    progress: { ...counts, tokens },
    end: ended,
    findings,
    log: log.lines,
    finished_at: environment.now(),
  }
  const isFirst = await publishRecord(store, record)
  if (!isFirst) await deleteAll(store.storage, { prefix: runFiles.segments(index, writer) }).catch(() => {})
  return { kind: "published", isFirst, progress }
}

function openGates(store: RunStore, plan: ShardPlan, { rows, options }: Asking): Promise<SharedGates> {
  const { index, planned, environment, signal } = options
  return openSharedGates(store, {
    index,
    plan,
    tasks: planned.tasks,
    orderOf: (task) => orderOfTask(plan, task),
    flush: () => rows.journal.flush(),
    environment,
    signal,
  })
}

interface EndedShard {
  readonly index: number
  readonly end: ShardEnd
  readonly processed: number
  /** The tasks whose gates are decided. */
  readonly decided: readonly string[]
}

/** Returns how a shard ended: by the gates of its tasks, if rows of them alone are missing. @throws `bad_document` if others are */
function checkEnd({ location }: RunStore, plan: ShardPlan, { index, end, processed, decided }: EndedShard): ShardEnd {
  const ranges = plan.shards[index] ?? []
  const units = unitsOf(ranges)
  if (end.kind !== "finished" || processed >= units) return end
  const tasks = ranges.flatMap(({ task }) => (decided.includes(task) ? [task] : []))
  if (processed >= unitsOf(ranges.filter(({ task }) => !tasks.includes(task))) && tasks.length > 0) {
    return { kind: "gates", tasks }
  }
  const message = `Shard ${index} has ${processed} rows and repeats, and was cut with ${units}: its dataset has changed since the job was cut into ${printable(location)}; cut it again into another location.`
  throw new AssayError("bad_document", message)
}

/** The log of a shard. */
interface ShardLog {
  readonly add: (line: JobLogLine) => void
  /** The lines that its record keeps. */
  readonly lines: readonly (JobLogLine & { readonly at: number })[]
}

function createShardLog(onLog: CutShardOptions["onLog"], now: () => number): ShardLog {
  const lines: ShardLog["lines"][number][] = []
  return {
    lines,
    add(line) {
      if (line.level !== "info" && lines.length < MAX_LINES) lines.push({ at: now(), ...line })
      onLog(line)
    },
  }
}

interface AskingRows extends Asking {
  readonly tasks: readonly TaskPlan[]
  readonly gates: SharedGates
  readonly attempt: number
  readonly finder: ReturnType<typeof createConditionFinder>
}

async function askRows(store: RunStore, plan: ShardPlan, asking: AskingRows): Promise<EndedRows> {
  const { rows, tasks, gates, options, attempt, finder } = asking
  const { index, planned, host, environment, log, signal, onProgress } = options
  const { budget } = plan.job.config.params ?? {}
  const share = new AbortController()
  const addCost = costOfTarget(plan.job, environment.prices)
  const reporter = await startReporter(store, {
    index,
    host,
    attempt,
    environment,
    finder,
    sharers: plan.at_once,
    hasBudget: budget !== undefined,
    mayFail: mayFailIn(planned, plan),
    onFailed: () => share.abort(),
  })
  const left = reporter.budgetLeft(budget)
  const run = runPlan(
    { tasks, budget: left, gates: [], pins: plan.pins, close: async () => {} },
    {
      job: { attempt, scope: { kind: attempt > 1 ? "retry-failed" : "run" } },
      journal: rows.journal,
      environment: { ...environment, now: environment.inference.now },
      costOf: (tokens) => addCost({ ...NO_PROGRESS, tokens }).cost?.amount,
      spentElsewhere: reporter.spentElsewhere,
      signal: AbortSignal.any([signal, share.signal]),
      onProgress(progress) {
        reporter.progressed(progress)
        onProgress(progress)
      },
      onLog: log.add,
      onKept: (row) => gates.note(row),
      onKeptAnew: () => gates.forget(),
      onRow: (row) => gates.note(row),
      onRetry: (error, row) => finder.addRetry(error, row),
      onFailure: (error, row) => finder.addError(error, { row }),
    },
  )
  let asksAgain = false
  try {
    const { end, progress } = await run
    asksAgain = end.kind === "failed"
    return { progress, end: end.kind === "aborted" && !signal.aborted ? { kind: "share" } : end }
  } finally {
    await gates.end(asksAgain)
    await reporter.end(asksAgain)
  }
}

/** Returns the environment of a shard, whose requests keep to the rates that it shares. The log says once that it can't. */
function withPaces(
  environment: JobEnvironment,
  { paces, onNotShared }: CutShardOptions,
  onLog: CutShardOptions["onLog"],
): JobEnvironment {
  if (paces === undefined) return environment
  const onAway = (error: unknown): void => {
    const message = `The rates of endpoints are not shared, and this shard keeps to its own until they are: ${printable(messageOf(error))}`
    onLog({ level: "warn", message })
    onNotShared?.(message)
  }
  const { inference } = environment
  return { ...environment, inference: { ...inference, pacers: createRequestPacers(inference, { paces, onAway }) } }
}

/** How the rows of a shard ended. */
interface EndedRows extends Pick<PlanOutcome, "progress"> {
  readonly end: PlanOutcome["end"] | ShardEnd
}

/** Lines of the log of a shard that are kept. Failures are counted in conditions. */
const MAX_LINES = 50

/** @throws `bad_document` if a dataset does not contain what it contained when the job was cut */
function checkPins(pins: readonly DatasetPin[], plan: ShardPlan, { location }: RunStore): void {
  for (const { files_url: name, files } of pins) {
    const before = plan.pins.find((pin) => pin.files_url === name)
    if (before !== undefined && JSON.stringify(before.files) === JSON.stringify(files)) continue
    const message = `The dataset '${printable(name)}' has changed since the job was cut into ${printable(location)}: cut it again into another location.`
    throw new AssayError("bad_document", message)
  }
}
