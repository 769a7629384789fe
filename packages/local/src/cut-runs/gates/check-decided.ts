import type { JobPlan } from "@assay/evaluation"
import { type PlanOutcome, scoreGates } from "@assay/results"
import { AssayError, printable } from "@assay/schemas"
import { quoteForShell, type ShardRecord, type RunStore } from "@assay/executors"

interface EndedRows {
  readonly planned: Pick<JobPlan, "gates">
  readonly records: readonly ShardRecord[]
  /** The outcome that was computed from all rows. */
  readonly summed: Pick<PlanOutcome, "progress">
}

/**
 * Checks that the rows decide the gates by which shards ended early: the shards only say that they are decided. @throws `content_damaged`
 */
export function checkDecided({ planned, records, summed }: EndedRows, { location }: Pick<RunStore, "location">): void {
  const ended = new Set(records.flatMap(({ end }) => (end.kind === "gates" ? end.tasks : [])))
  const { gates: states = [] } = summed.progress
  const isDecided = ({ name, limit }: JobPlan["gates"][number]) =>
    states.some((state) => {
      const isSame = state.name === name && state.limit === scoreGates.formatLimit(limit)
      return isSame && state.decided_after !== null
    })
  for (const task of ended) {
    const gates = planned.gates.filter((gate) => gate.task === task)
    if (gates.length > 0 && gates.every(isDecided)) continue
    const shards = records.flatMap(({ index, end }) =>
      end.kind === "gates" && end.tasks.includes(task) ? [index] : [],
    )
    const message = `Shards of the run ${printable(location)} ended early because the gates of task '${printable(task)}' were decided, and their rows do not decide them: files of the run were changed, or a shard ran twice.`
    const remedy = `Ask the remaining rows: assay eval retry-failed ${printable(quoteForShell(location))}.`
    throw new AssayError("content_damaged", message, { context: { remedy, shards: shards.slice(0, 1000) } })
  }
}
