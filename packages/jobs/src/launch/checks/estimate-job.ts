import { smallestDetectableEffect, wilsonInterval } from "@assay/metrics"
import type { LaunchEstimate } from "@assay/schemas"
import type { TaskShape } from "@assay/evaluation"
import type { SeenDataset } from "./check-datasets.ts"
import { countRows } from "./count-rows.ts"
import { estimateModels, sumOf, type EstimateContext } from "./estimate-models.ts"
import { estimateSeconds } from "./estimate-seconds.ts"
import type { EndpointSpeeds } from "./measure-endpoints.ts"

export interface JobEstimateContext extends EstimateContext {
  /** Absent: endpoints were not measured, so only earlier jobs tell the time. */
  readonly speeds?: EndpointSpeeds | undefined
}

/**
 * Estimates what a job will ask, cost and take, from what its checks have read. The rows of a dataset are known if the checks have
 * seen its end or counted them. Retries, and metrics that ask a judge several times about a row, are not counted.
 */
export function estimateJob(tasks: readonly TaskShape[], context: JobEstimateContext): LaunchEstimate {
  const {
    seen,
    environment: { prices },
  } = context
  const estimated = tasks.map((task) => [task, estimateTask(task, seen)] as const)
  const { models, earlier, notes } = estimateModels(estimated, context)
  const { range, note } = estimateSeconds(estimated, { earlier, models, speeds: context.speeds })
  const isKnown = estimated.length > 0
  const total = (numbers: readonly (number | null)[]) => (isKnown ? sumOf(numbers) : null)
  const cost = prices === undefined ? null : total(models.map((model) => model.cost))
  const isAbout = estimated.some(([, { rows, about_rows }]) => rows === null && about_rows !== null)
  const why = prices === undefined && models.length > 0 ? [NO_PRICES] : []
  return {
    rows: total(estimated.map(([, { rows }]) => rows)),
    about_rows: total(estimated.map(([, { about_rows }]) => about_rows)),
    requests: total(estimated.map(([, { requests }]) => requests)),
    prompt_tokens: total(models.map(({ prompt_tokens }) => prompt_tokens)),
    completion_tokens: total(models.map(({ completion_tokens }) => completion_tokens)),
    cost,
    currency: prices?.currency ?? null,
    seconds: range === null ? null : Math.sqrt(range.low * range.high),
    seconds_range: range,
    ...precisionOf(estimated.map(([, { about_rows }]) => about_rows)),
    models: [...models],
    notes: [...(isAbout ? [BY_SIZE] : []), ...notes, ...(note === undefined ? [] : [note]), ...why],
    tasks: estimated.map(([, estimate]) => estimate),
  }
}

/** The share of rows whose score differs between two jobs. More of them make a difference harder to find. */
const CHANGED_SHARE = 0.2

/** Returns what the rows of the smallest task can tell. */
function precisionOf(rows: readonly (number | null)[]): Pick<LaunchEstimate, "half_width" | "detectable"> {
  const least = rows.includes(null) ? 0 : Math.min(...rows.map((count) => count ?? 0))
  if (least < 2 || !Number.isFinite(least)) return { half_width: null, detectable: null }
  const { low, high } = wilsonInterval(least / 2, least)
  const error = Math.sqrt(CHANGED_SHARE / least)
  return { half_width: (high - low) / 2, detectable: smallestDetectableEffect(error, { degreesOfFreedom: least - 1 }) }
}

const BY_SIZE = "Rows: about, from the sizes of the files and of their first rows."
const NO_PRICES = "The cost is not known: name a file with prices of models in ASSAY_PRICES_FILE."

function estimateTask(task: TaskShape, seen: readonly SeenDataset[]): LaunchEstimate["tasks"][number] {
  const { name, run, endpoints, isTried = false } = task
  const { rows, about, max } = countRows(task, seen)
  // The guardrail of a calibration asks at least one model, which its stored configuration may name.
  const asked = Math.max(endpoints.length, isTried ? 1 : 0)
  const requests = asked === 0 ? 0 : rows === null ? null : rows * run.repeats * asked
  return { task: name, rows, about_rows: about, max_rows: max, repeats: run.repeats, requests }
}
