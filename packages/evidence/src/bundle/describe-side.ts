import { resultScores, rowOrder } from "@assay/results"
import { AssayError, type EvaluationResult } from "@assay/schemas"
import type { RowsDigest } from "../rows/measure-rows.ts"
import { metricIdentities } from "../statement/metric-identities.ts"
import type { SideOfBundle } from "./side-input.ts"
import type { BundleSide } from "../statement/verdict-statement.ts"

/** Where the rows of a bundle are. */
export type RowsPlacement = "inside" | "reference"

/** Describes results as a side of a bundle. @throws `bad_document` for results that have no rows */
export function describeSide(input: SideOfBundle, digest: RowsDigest, placement: RowsPlacement): BundleSide {
  const { role, name, job, result, environment } = input
  const { id, namespace, target, config, status, conditions, pins, gates } = job
  if (config.type === "benchmark") {
    const message = `'${name}' has the results of a benchmark: its harness leaves no rows from which its scores could be computed again.`
    throw new AssayError("bad_document", message)
  }
  return plain({
    role,
    name,
    id,
    namespace,
    status,
    target,
    config,
    pins: [...pins],
    conditions: conditions.map(({ code, count }) => ({ code, count })),
    environment: { ...environment },
    order_seed: rowOrder.seedOf(id),
    units: unitsOf(input),
    metrics: metricIdentities(config, result),
    result: { tasks: result.tasks, groups: result.groups },
    gates: Array.isArray(gates) ? (gates as BundleSide["gates"]) : [],
    rows: { placement, ...digest },
  })
}

/** Returns the units of each task. Results of earlier versions say them only in the counts of their scores. */
function unitsOf({ job: { config, units = {} }, result }: SideOfBundle): BundleSide["units"] {
  const scores = resultScores.list(result)
  const names = new Set([...Object.keys(units), ...Object.keys(config.tasks ?? {}), ...Object.keys(result.tasks)])
  const counted = [...names].map((task) => {
    const ofTask = scores.filter((score) => score.task === task || !Object.hasOwn(result.tasks, task))
    const counts = ofTask.map(({ found }) => unitsOfScore(found))
    return [task, units[task] ?? Math.max(0, ...counts)] as const
  })
  return Object.fromEntries(counted)
}

function unitsOfScore({ stats }: EvaluationResult["tasks"][string]["metrics"][string]["scores"][string]): number {
  return stats === undefined ? 0 : stats.scored + stats.unreadable + stats.errored + stats.skipped
}

/** Returns a value as JSON holds it. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
