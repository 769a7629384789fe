import { formatInteger } from "@assay/reports"
import { type LaunchEstimate, maskUrlUser } from "@assay/schemas"
import { endpointKey } from "@assay/scoring"
import type { TaskShape } from "@assay/evaluation"
import type { EarlierAnswers } from "./earlier-answers.ts"
import type { EndpointSpeed, EndpointSpeeds } from "./measure-endpoints.ts"

export interface SecondsBasis {
  readonly earlier: readonly EarlierAnswers[]
  readonly models: readonly ModelEstimate[]
  readonly speeds: EndpointSpeeds | undefined
}

interface EstimatedSeconds {
  readonly range: { readonly low: number; readonly high: number } | null
  readonly note: string | undefined
}

type ModelEstimate = LaunchEstimate["models"][number]
type EstimatedTask = readonly [TaskShape, LaunchEstimate["tasks"][number]]

/** Tokens of an answer whose length nothing tells, for the upper end. */
const UNKNOWN_TOKENS = 256
/** An endpoint may be twice as fast as when it was measured, or take twice as long. */
const FACTOR = 2
/** What this process needs: seconds for its start and its results, and milliseconds for each row. */
const OWN_SECONDS = 2
const OWN_ROW_MS = 3

/**
 * Estimates how long the tasks take, one after another, as a range. An earlier job with as many requests in flight tells it within a factor
 * of two. Otherwise the lower end is the time of answers of one token with all requests in flight; the upper end is the time of the longest answers with
 * as much at once as the endpoint was seen to do. Waits for limits of the rate are not counted.
 */
export function estimateSeconds(
  tasks: readonly EstimatedTask[],
  { earlier, models, speeds }: SecondsBasis,
): EstimatedSeconds {
  const samples = tasks.reduce<number | null>(
    (sum, [, { about_rows: rows, repeats }]) => (sum === null || rows === null ? null : sum + rows * repeats),
    0,
  )
  const [first] = earlier
  if (samples === null || tasks.length === 0) return { range: null, note: undefined }
  if (first !== undefined) {
    const note = `Time: ${first.answers} rows took ${first.seconds.toFixed(1)} s in ${first.job}, with as many requests in flight.`
    const about = (samples / first.answers) * first.seconds
    return { range: { low: about / FACTOR, high: about * FACTOR + OWN_SECONDS }, note }
  }
  if (speeds === undefined || tasks.every(([{ endpoints }]) => endpoints.length === 0))
    return { range: null, note: undefined }
  const each = tasks.map((task) => secondsOf(task, models, speeds))
  if (each.includes(undefined)) return { range: null, note: "The time is not known: an endpoint did not answer." }
  const sum = (end: "low" | "high") => each.reduce((total, one) => total + (one?.[end] ?? 0), 0)
  const isGuessed = models.some(({ completion_tokens: tokens }) => tokens === null)
  const length = isGuessed
    ? `of ${formatInteger(UNKNOWN_TOKENS)} tokens where max_tokens does not limit them`
    : "as long as said above"
  const note = `Time: measured by short requests; the upper end is for answers ${length}. Waits for limits of the rate are not counted.`
  return { range: { low: sum("low"), high: OWN_SECONDS + sum("high") }, note }
}

/** Undefined if an endpoint was not measured. */
function secondsOf(
  [{ endpoints, run }, { about_rows, repeats }]: EstimatedTask,
  models: readonly ModelEstimate[],
  speeds: EndpointSpeeds,
): { readonly low: number; readonly high: number } | undefined {
  const samples = (about_rows ?? 0) * repeats
  let [low, high] = [0, samples * OWN_ROW_MS]
  for (const endpoint of endpoints) {
    const speed = speeds.get(endpointKey(endpoint))
    if (speed === undefined) return undefined
    const model = models.find(({ model: name, url }) => name === endpoint.model_id && url === maskUrlUser(endpoint.url))
    low += (samples * speed.firstTokenMs) / FACTOR / run.parallelism
    high += samples * longestMs(speed, model) * Math.max(speed.share, 1 / run.parallelism) * FACTOR
  }
  return { low: low / 1000, high: high / 1000 }
}

function longestMs({ firstTokenMs, tokenMs }: EndpointSpeed, model: ModelEstimate | undefined): number {
  const { requests = null, completion_tokens: tokens = null } = model ?? {}
  const each = tokens === null || requests === null || requests === 0 ? UNKNOWN_TOKENS : tokens / requests
  return firstTokenMs + tokenMs * each
}
