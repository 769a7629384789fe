import type { JobBudget } from "@assay/schemas"
import type { JobEnvironment, RunPlanOptions } from "@assay/evaluation"
import type { createConditionFinder, JobProgress } from "@assay/results"
import { NO_PROGRESS } from "@assay/attempts"
import { openFindings } from "./shard-findings.ts"
import { failedElsewhere, spentElsewhere } from "./other-shards.ts"
import { openAllProgress, readProgress, type ShardProgress, writeProgress, type RunStore } from "@assay/executors"

/** Milliseconds between two writes of the counts. */
const WRITE_MS = 1000
/** Files that all shards together read each millisecond. A bucket answers about 5,500 requests a second for one prefix. */
const READS_PER_MS = 5

export interface ReporterOptions {
  readonly index: number
  readonly host: string
  readonly environment: Pick<JobEnvironment, "now" | "sleep" | "inference">
  /** The attempt of the shard, from 1. */
  readonly attempt: number
  /** The conditions of this shard. Those that an earlier process of this attempt has noted are added to it. */
  readonly finder: Pick<ReturnType<typeof createConditionFinder>, "findings" | "addFindings">
  /** How many shards run at the same time. */
  readonly sharers: number
  readonly hasBudget: boolean
  /** Rows of all shards together that may fail. */
  readonly mayFail: number
  /** Called when more rows have failed than may. */
  readonly onFailed: () => void
}

/** Writes the counts of a shard, and reads those of the others if they share a budget, or if its own rows have failed. */
export interface ShardReporter {
  progressed(progress: JobProgress): void
  /** Returns what the other shards had used at the last look. */
  readonly spentElsewhere: NonNullable<RunPlanOptions["spentElsewhere"]>
  /** Returns the budget with the time that is left: it began with the first shard. */
  budgetLeft(budget: JobBudget | undefined): JobBudget | undefined
  /** Writes the last counts. @param asksAgain whether the next process asks the failed rows again, so that they don't count for others */
  end(asksAgain: boolean): Promise<void>
}

export async function startReporter(
  store: RunStore,
  { index, host, attempt, finder, environment: { now, sleep, inference }, ...options }: ReporterOptions,
): Promise<ShardReporter> {
  const { sharers, hasBudget, mayFail, onFailed } = options
  const own = await readProgress(store, index)
  const started = own?.started_at ?? now()
  const allProgress = openAllProgress(store)
  let others: ReadonlyMap<number, ShardProgress> = hasBudget ? await allProgress.read() : new Map()
  let spent = spentElsewhere(others, index)
  let last: JobProgress = NO_PROGRESS
  const ended = new AbortController()

  const notes = await openFindings(store, { index, attempt, finder })
  const write = async (): Promise<void> => {
    const { processed, asked = processed, failed, standing = failed, tokens } = last
    const common = { attempt, host, started_at: started, updated_at: now() }
    const counts = { ...common, processed, asked, failed, standing, tokens }
    await writeProgress(store, index, counts)
  }
  const elapsed = inference.now
  let lookedAt = elapsed()
  const look = async (): Promise<void> => {
    const { failed, standing = failed } = last
    if (!(hasBudget || standing > 0) || elapsed() - lookedAt < sharers ** 2 / READS_PER_MS) return
    lookedAt = elapsed()
    others = await allProgress.read(ended.signal)
    spent = spentElsewhere(others, index)
    if (standing + failedElsewhere(others, index) > mayFail) onFailed()
  }
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await sleep(WRITE_MS, ended.signal).catch(() => {})
      // Counts are for those who watch. A storage that does not respond must not end the shard.
      if (!ended.signal.aborted) await Promise.allSettled([write(), notes.write(), look()])
    }
  }
  if (own !== undefined) last = { ...NO_PROGRESS, ...own }
  await write()
  const running = run()
  return {
    progressed(progress) {
      last = progress
    },
    spentElsewhere: () => spent,
    budgetLeft(budget) {
      if (budget?.max_duration === undefined) return budget
      const first = Math.min(started, ...[...others.values()].map(({ started_at }) => started_at))
      return { ...budget, max_duration: Math.max(0, budget.max_duration - (now() - first) / 1000) }
    },
    async end(asksAgain) {
      if (asksAgain) last = { ...last, standing: 0 }
      ended.abort()
      await running
      await Promise.allSettled([write(), notes.write()])
    },
  }
}
