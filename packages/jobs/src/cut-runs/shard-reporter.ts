import type { JobBudget } from "@assay/schemas"
import type { JobEnvironment } from "@assay/evaluation"
import type { createConditionFinder, JobProgress } from "@assay/results"
import { NO_PROGRESS } from "../attempt/job-progress.ts"
import { openFindings } from "./shard-findings.ts"
import {
  type ShardProgress,
  readAllProgress,
  readProgress,
  type SpentElsewhere,
  spentElsewhere,
  writeProgress,
} from "./shard-progress.ts"
import type { RunStore } from "./store/run-store.ts"

/** Milliseconds between two looks at the counts of all shards, for each shard: a run of 1,000 shards looks every 20 s. */
const LOOK_MS_PER_SHARD = 20
const MIN_LOOK_MS = 1000

export interface ReporterOptions {
  readonly index: number
  readonly host: string
  readonly environment: Pick<JobEnvironment, "now" | "sleep">
  /** The attempt of the shard, from 1. */
  readonly attempt: number
  /** The conditions of this shard. Those that an earlier process of this attempt has noted are added to it. */
  readonly finder: Pick<ReturnType<typeof createConditionFinder>, "findings" | "addFindings">
  /** Whether the shards share a budget. */
  readonly hasBudget: boolean
}

/** Writes the counts of a shard, and reads those of the others if they share a budget. */
export interface ShardReporter {
  progressed(progress: JobProgress): void
  /** Returns what the other shards had used at the last look. */
  readonly spentElsewhere: () => SpentElsewhere
  /** Returns the budget with the time that is left: it began with the first shard. */
  budgetLeft(budget: JobBudget | undefined): JobBudget | undefined
  /** Writes the last counts. */
  end(): Promise<void>
}

export async function startReporter(
  store: RunStore,
  { index, host, attempt, finder, environment: { now, sleep }, hasBudget }: ReporterOptions,
): Promise<ShardReporter> {
  const own = await readProgress(store, index).catch(() => undefined)
  const started = own?.started_at ?? now()
  let others: ReadonlyMap<number, ShardProgress> = hasBudget ? await readAllProgress(store) : new Map()
  let spent = spentElsewhere(others, index)
  let last: JobProgress = NO_PROGRESS
  const ended = new AbortController()

  const notes = await openFindings(store, { index, attempt, finder })
  const write = async (): Promise<void> => {
    const { processed, failed, tokens } = last
    const counts = { processed, failed, tokens, host, started_at: started, updated_at: now() }
    await writeProgress(store, index, counts)
  }
  const look = async (): Promise<void> => {
    if (!hasBudget) return
    others = await readAllProgress(store, ended.signal)
    spent = spentElsewhere(others, index)
  }
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const wait = hasBudget ? Math.max(MIN_LOOK_MS, others.size * LOOK_MS_PER_SHARD) : MIN_LOOK_MS
      await sleep(wait, ended.signal).catch(() => {})
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
    async end() {
      ended.abort()
      await running
      await Promise.allSettled([write(), notes.write()])
    },
  }
}
