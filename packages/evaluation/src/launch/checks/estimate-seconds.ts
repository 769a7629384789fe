import type { LaunchEstimate } from "@assay/schemas"
import { endpointKey } from "../../models/model-pool.ts"
import type { TaskShape } from "../../plan/task-shape.ts"
import type { EarlierAnswers } from "./earlier-answers.ts"

/** Milliseconds that a request for one token took, by the key of the endpoint. */
export type Latencies = ReadonlyMap<string, number>

export interface SecondsBasis {
  readonly earlier: readonly EarlierAnswers[]
  readonly latencies: Latencies
}

/** Estimates how long the tasks take, one after another. */
export function estimateSeconds(
  tasks: readonly (readonly [TaskShape, LaunchEstimate["tasks"][number]])[],
  { earlier, latencies }: SecondsBasis,
): { readonly seconds: number | null; readonly note: string | undefined } {
  const samples = tasks.reduce<number | null>(
    (sum, [, { about_rows: rows, repeats }]) => (sum === null || rows === null ? null : sum + rows * repeats),
    0,
  )
  const [first] = earlier
  if (samples === null || tasks.length === 0) return { seconds: null, note: undefined }
  if (first !== undefined) {
    const note = `Time: ${first.answers} rows took ${first.seconds.toFixed(1)} s in ${first.job}, with as many requests in flight.`
    return { seconds: (samples / first.answers) * first.seconds, note }
  }
  const each = tasks.map(([task, { about_rows, repeats }]) => secondsOf(task, (about_rows ?? 0) * repeats, latencies))
  if (each.includes(undefined)) return { seconds: null, note: "The time is not known: an endpoint did not answer." }
  const seconds = each.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  if (seconds === 0) return { seconds: null, note: undefined }
  return {
    seconds,
    note: "Time: at least so long, because it is measured by requests for one token; answers are longer.",
  }
}

/** Undefined if an endpoint was not measured. */
function secondsOf({ endpoints, run }: TaskShape, samples: number, latencies: Latencies): number | undefined {
  const each = endpoints.map((endpoint) => latencies.get(endpointKey(endpoint)))
  if (each.includes(undefined)) return undefined
  const ms = each.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  return (samples * ms) / run.parallelism / 1000
}
