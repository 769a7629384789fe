import { meanOf } from "@assay/metrics"
import { AssayError, type EvaluationRow, type IdentityPart } from "@assay/schemas"
import { changedSince } from "./changed-identity.ts"
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
interface GateReference {
  (row: Pick<EvaluationRow, "row_index" | "item">): number | undefined
  /** The parts in which the meaning of the score differs. There are no values to compare with then. */
  readonly changed?: readonly IdentityPart[]
}

/**
 * Reads the results with which gates compare rows. A score that measures something else in them has no values to compare with. Memory: 8 bytes for each score and
 * row of each of them.
 * @throws `invalid_request` if results lack the score of a gate; the errors of `openBaseline`
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
    const { tasks } = await readJobValues(baseline, { signal })
    for (const gate of own) {
      const task = tasks.get(gate.task)
      const values = task?.scores.get(scoreKey(gate.metric, gate.score))
      if (task === undefined || values === undefined) throw noScore(gate, baseline, [...tasks.keys()])
      const changed = changedSince(baseline, config, gate)
      if (changed.length > 0) {
        references.set(
          gate,
          Object.assign(() => undefined, { changed }),
        )
        continue
      }
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

function noScore(
  { name, task, metric, score }: ComparingGate,
  baseline: JobToCompare,
  tasks: readonly string[],
): AssayError {
  const known = tasks.length === 0 ? "no rows" : `rows of ${tasks.slice(0, 20).join(", ")}`
  const message = `The gate on '${name}' can't be compared: '${baseline.name}' has no row with '${task}.${metric}.${score}' (it has ${known}).`
  return new AssayError("invalid_request", message)
}
