import type { ShardsState } from "@assay/registry"
import { formatInteger } from "@assay/reports"
import { isAssayError } from "@assay/schemas"
import { NO_PATIENCE } from "@assay/storage"
import { type JobProgress, type PlanOutcome, tokenSums } from "@assay/results"
import { type JobPlan, runPlan, type TaskPlan } from "@assay/evaluation"
import { cutPlan } from "./cut-plan.ts"
import { isConditionFindings } from "@assay/executors"
import { joinFindings } from "./join-findings.ts"
import type { ShardsRunOptions } from "@assay/attempts"
import type { QueuedShards } from "./queued-shards.ts"

export interface RunInShardsOptions extends ShardsRunOptions {
  readonly shards: QueuedShards
}

/** Milliseconds between two looks at the shards. If the database delivers notices, the end of a job does not wait for them. */
const LOOK_MS = 1000

/**
 * Lets workers run a plan in shards, waits for them, and computes the outcome from the journals of all shards. The outcome is the
 * same as if this process had run the plan. Returns undefined if one worker has to run it.
 */
export async function runInShards(plan: JobPlan, options: RunInShardsOptions): Promise<PlanOutcome | undefined> {
  const { shards, signal, onWaiting, environment } = options
  const { outages = NO_PATIENCE } = environment
  if (!(await outages.outlast(() => isCutIntoShards(plan, options), { signal }))) return undefined
  const opened = await outages.outlast(() => shards.open(), { signal })
  // Also if an earlier runner opened them: it may have been lost before it sent them.
  await outages.outlast(() => shards.send(opened), { signal })
  onWaiting?.()
  const totals = await countUnits(plan, signal)
  const end = await waitForShards(plan, totals, options)
  if (end === "released") return released(plan)
  const last = await stopWorkers(options)
  // The last shards may be done when the budget ends.
  const isWhole = end?.kind === "budget" && areDone(last)
  const sum = await runPlan(
    { ...plan, tasks: plan.tasks.map((task) => counted(task, totals)) },
    {
      ...options,
      job: { attempt: options.job.attempt, scope: { kind: "sum" } },
      // Also the rows of a job that is cancelled are counted.
      signal: new AbortController().signal,
      onProgress: () => {},
    },
  )
  return end === undefined || isWhole ? sum : { ...sum, end }
}

/** Cuts the rows of a plan into shards, unless an earlier runner did. Returns whether they are. */
async function isCutIntoShards(
  plan: JobPlan,
  { shards, journal, signal, onLog }: RunInShardsOptions,
): Promise<boolean> {
  if (await shards.isCut()) return true
  // Rows in the journal of the job itself are not moved to shards.
  if (!(await isEmpty(journal))) return false
  const cut = await cutPlan(plan, signal)
  if (cut === undefined) return false
  await shards.cut(cut.ranges, cut.limits)
  const count = formatInteger(cut.ranges.length)
  const message = `The rows are cut into ${count} shards for at most ${formatInteger(cut.limits.maxWorkers)} workers.`
  onLog({ level: "info", message })
  return true
}

async function isEmpty(journal: RunInShardsOptions["journal"]): Promise<boolean> {
  for await (const rows of journal.read()) if (rows.length > 0) return false
  return true
}

type Totals = ReadonlyMap<string, number>

async function countUnits({ tasks }: JobPlan, signal: AbortSignal): Promise<Totals> {
  const totals = new Map<string, number>()
  for (const { name, rows, repeats } of tasks) totals.set(name, (await rows.count(signal)) * repeats)
  return totals
}

/** Returns a task whose rows are in the journal. */
function counted(task: TaskPlan, totals: Totals): TaskPlan {
  const { repeats } = task
  return {
    ...task,
    rows: { async *open() {}, count: () => Promise.resolve((totals.get(task.name) ?? 0) / repeats) },
  }
}

/** Waits until all shards are done, or the job has to end before. Returns how it ends, or undefined if that depends on its rows. */
async function waitForShards(
  plan: JobPlan,
  totals: Totals,
  options: RunInShardsOptions,
): Promise<PlanOutcome["end"] | "released" | undefined> {
  // An object, because it changes while this function waits.
  const exit = { isSeen: false, seen: () => {} }
  const stopListening = options.shards.onWorkerExit(() => {
    exit.isSeen = true
    exit.seen()
  })
  try {
    return await lookUntilDone(plan, totals, { ...options, exit })
  } finally {
    await stopListening()
  }
}

/** The exit of a worker, which is probably the end of the job. */
interface Exit {
  isSeen: boolean
  seen: () => void
}

type LookOptions = RunInShardsOptions & { readonly exit: Exit }

async function lookUntilDone(
  plan: JobPlan,
  totals: Totals,
  options: LookOptions,
): Promise<PlanOutcome["end"] | "released" | undefined> {
  const { signal, onProgress, onConditions, exit } = options
  for (;;) {
    // Before the look, so that the state is newer than the request to stop.
    const mustStop = signal.aborted
    exit.isSeen = false
    const state = await lookPatiently(options)
    if (state === undefined) return "released"
    onProgress(progressOf(plan, totals, state))
    onConditions(
      joinFindings(state.findings).conditions,
      state.findings.flatMap(({ happened }) => (isConditionFindings(happened) ? [happened] : [])),
    )
    const isDone = areDone(state)
    if (isDone && state.workers === 0) return undefined
    // A runner that is asked to stop leaves the job to the next one, and the workers go on.
    if (mustStop && state.status !== "CANCELLING") return "released"
    const end = isDone ? undefined : (endOf(plan, totals, state, options) ?? endOfBudget(options))
    if (end !== undefined) return end.kind === "share" ? undefined : end
    await pauseOrExit(LOOK_MS, options)
  }
}

function areDone({ tasks }: ShardsState): boolean {
  return tasks.every((task) => task.isDone)
}

/** Waits for a time, or until the next exit of a worker. */
async function pauseOrExit(ms: number, { signal, environment, exit }: LookOptions): Promise<void> {
  if (exit.isSeen) return
  const over = new AbortController()
  exit.seen = () => over.abort()
  await environment.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => {})
  exit.seen = () => {}
}

/** Looks at the shards. Undefined if the database does not respond and this runner has to stop. */
async function lookPatiently({ shards, signal, environment }: RunInShardsOptions): Promise<ShardsState | undefined> {
  for (;;) {
    try {
      return await shards.look()
    } catch (error) {
      if (!isAssayError(error, "unavailable")) throw error
      if (signal.aborted) return undefined
      await environment.sleep(LOOK_MS, signal).catch(() => {})
    }
  }
}

type EarlyEnd = PlanOutcome["end"] | { readonly kind: "share" }

function endOf(
  { tasks }: JobPlan,
  totals: Totals,
  { status, stop, tasks: found }: ShardsState,
  { job }: RunInShardsOptions,
): EarlyEnd | undefined {
  if (status === "CANCELLING") return { kind: "aborted" }
  if (stop !== undefined) return { kind: "failed", ...stop }
  // Scores are added to the rows of a job, however many of them failed before.
  if (job.scope.kind === "score") return undefined
  const isOver = found.some(({ task, failed }) => {
    const share = tasks.find(({ name }) => name === task)?.maxFailedShare ?? 1
    return failed > share * (totals.get(task) ?? 0) + ROUNDING
  })
  return isOver ? { kind: "share" } : undefined
}

/** Returns the end of a job if its workspace has nothing left. Its workers see that, too, and finish the rows in flight. */
function endOfBudget({ environment: { spending } }: RunInShardsOptions): PlanOutcome["end"] | undefined {
  const limit = spending?.reached()
  return limit === undefined ? undefined : { kind: "budget", limit, workspace: spending?.workspace }
}

/** Makes up for rounding: 0.57 × 100 is slightly less than 57. */
const ROUNDING = 1e-9

/** Stops the workers. Returns the state of the shards when the last of them has left. */
async function stopWorkers({ shards, environment }: RunInShardsOptions): Promise<ShardsState> {
  const { outages = NO_PATIENCE, sleep } = environment
  const look = () => outages.outlast(() => shards.look())
  const left = await outages.outlast(() => shards.close())
  if (left.shards.length > 0) await outages.outlast(() => shards.withdraw(left))
  let state = await look()
  while (state.workers > 0) {
    await sleep(LOOK_MS / 4)
    state = await look()
  }
  // All workers of all servers look at these records every second.
  await outages.outlast(() => shards.forgetWorkers())
  return state
}

function released(plan: JobPlan): PlanOutcome {
  const tasks = plan.tasks.map(({ name, group }) => ({ task: name, group, metrics: {} }))
  const progress = { processed: 0, total: null, failed: 0, tasks: {}, means: {}, tokens: tokenSums.none }
  return { tasks, progress, end: { kind: "aborted" } }
}

function progressOf({ tasks }: JobPlan, totals: Totals, { tasks: found, findings }: ShardsState): JobProgress {
  const sum = (value: (task: ShardsState["tasks"][number]) => number) =>
    found.reduce((total, task) => total + value(task), 0)
  return {
    processed: sum(({ processed }) => processed),
    total: tasks.reduce((total, { name }) => total + (totals.get(name) ?? 0), 0),
    failed: sum(({ failed }) => failed),
    tasks: Object.fromEntries(
      found.map(({ task, isDone, hasBegun }) => [task, isDone ? "completed" : hasBegun ? "running" : "pending"]),
    ),
    means: joinFindings(findings).means,
    tokens: {
      ...tokenSums.none,
      prompt: sum(({ promptTokens }) => promptTokens),
      completion: sum(({ completionTokens }) => completionTokens),
    },
  }
}
