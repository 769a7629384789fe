import { meanOf } from "@assay/metrics"
import { AssayError, type EvaluationRow } from "@assay/schemas"
import { changedConfigs } from "./changed-identity.ts"
import { isSameItem, type JobToCompare, readJobValues, scoreKey } from "./job-to-compare.ts"

/** A gate that compares a score row by row with other results. */
interface ComparingGate {
  readonly name: string
  readonly task: string
  readonly metric: string
  readonly score: string
  /** The name of the results. */
  readonly against?: string | undefined
}

/** Returns the score of the same row in other results: the mean of its repeats. Undefined if there is none, or the row asks something else there. */
type GateReference = (row: Pick<EvaluationRow, "row_index" | "item">) => number | undefined

/**
 * Reads the results with which gates compare rows. Memory: 8 bytes for each score and row of each of them.
 * @throws `invalid_request` if results lack the score of a gate, or another metric gave it; the errors of `openBaseline`
 */
export async function readReferences<Gate extends ComparingGate>(
  { gates, config }: { readonly gates: readonly Gate[]; readonly config: JobToCompare["config"] },
  openBaseline: ((name: string, signal: AbortSignal) => Promise<JobToCompare>) | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<Gate, GateReference>> {
  const references = new Map<Gate, GateReference>()
  for (const [name, own] of Map.groupBy(gates, ({ against }) => against)) {
    if (name === undefined) continue
    if (openBaseline === undefined) throw noBaselines(name)
    const baseline = await openBaseline(name, signal)
    const { tasks } = await readJobValues(baseline, signal)
    for (const gate of own) {
      const task = tasks.get(gate.task)
      const values = task?.scores.get(scoreKey(gate.metric, gate.score))
      if (task === undefined || values === undefined) throw noScore(gate, baseline, [...tasks.keys()])
      if (changedConfigs(baseline.config, config, gate).length > 0) throw otherMetric(gate, baseline)
      references.set(gate, (row) => {
        if (!isSameItem(task, row)) return undefined
        const known = Array.from({ length: values.repeats }, (_, repeat) => values.get(row.row_index, repeat))
        const given = known.filter((value) => !Number.isNaN(value))
        return given.length === 0 ? undefined : meanOf(given)
      })
    }
  }
  return references
}

function noBaselines(name: string): AssayError {
  const message = `A gate against '${name}' is not possible here: there are no results to compare with.`
  return new AssayError("invalid_request", message)
}

function otherMetric({ name, task, metric }: ComparingGate, baseline: JobToCompare): AssayError {
  const message = `The gate on '${name}' can't be compared: the metric '${metric}' of '${task}' has another type, template or judge in '${baseline.name}', so that its scores measure something else. Score the baseline with this metric, or compare with another one.`
  return new AssayError("invalid_request", message)
}

function noScore(
  { name, task, metric, score }: ComparingGate,
  baseline: JobToCompare,
  tasks: readonly string[],
): AssayError {
  const known = tasks.length === 0 ? "no rows" : `rows of ${tasks.slice(0, 20).join(", ")}`
  const message = `The gate on '${name}' can't be compared: '${baseline.name}' has no row with '${task}.${metric}.${score}' (it has ${known}).`
  return new AssayError("invalid_request", message)
}
