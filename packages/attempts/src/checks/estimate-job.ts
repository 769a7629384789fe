import { smallestDetectableEffect, wilsonInterval } from "@assay/metrics"
import { estimatedRequests, formatInteger } from "@assay/reports"
import { type LaunchEstimate, maskUrlUser } from "@assay/schemas"
import { endpointKey } from "@assay/scoring"
import type { TaskShape } from "@assay/evaluation"
import { FIRST_ROWS, limitsOf, type SeenDataset } from "./check-datasets.ts"
import type { EndpointSpeed, EndpointSpeeds } from "./check-endpoints.ts"
import { type EarlierAnswers, type EstimateContext, estimateModels, sumOf } from "./estimate-models.ts"

export interface JobEstimateContext extends EstimateContext {
  /** Absent: endpoints were not measured, so only earlier jobs show the time. */
  readonly speeds?: EndpointSpeeds | undefined
  /** Requests a second to each endpoint that the job may send. Absent: any number. */
  readonly rate?: number | undefined
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
  const { range, note } = estimateSeconds(estimated, { earlier, models, speeds: context.speeds, rate: context.rate })
  const isKnown = estimated.length > 0
  const total = (numbers: readonly (number | null)[]) => (isKnown ? sumOf(numbers) : null)
  const cost = prices === undefined ? null : total(models.map((model) => model.cost))
  const isAbout = estimated.some(([, { rows, about_rows }]) => rows === null && about_rows !== null)
  const isHeld = tasks.some(({ isRecorded }) => isRecorded === true)
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
    notes: [
      ...(isHeld ? [FIRST_TURN] : []),
      ...(isAbout ? [BY_SIZE] : []),
      ...notes,
      ...(note === undefined ? [] : [note]),
      ...why,
    ],
    tasks: estimated.map(([, estimate]) => estimate),
  }
}

/** The share of rows whose score differs between two jobs. More of them make a difference harder to find. */
const CHANGED_SHARE = 0.2

/** Returns the precision that the rows of the smallest task allow. */
function precisionOf(rows: readonly (number | null)[]): Pick<LaunchEstimate, "half_width" | "detectable"> {
  const least = rows.includes(null) ? 0 : Math.min(...rows.map((count) => count ?? 0))
  if (least < 2 || !Number.isFinite(least)) return { half_width: null, detectable: null }
  const { low, high } = wilsonInterval(least / 2, least)
  const error = Math.sqrt(CHANGED_SHARE / least)
  const detectable = smallestDetectableEffect(error, { degreesOfFreedom: least - 1 })
  // Shares differ by at most 1.
  return { half_width: (high - low) / 2, detectable: detectable > 1 ? null : detectable }
}

const FIRST_TURN =
  "Conversations: requests, tokens and time are those of their first turns, because later ones depend on answers."
const BY_SIZE = "Rows: about, from the sizes of the files and of their first rows."
const NO_PRICES =
  "The cost is not known: give the model prompt_price and completion_price in the evaluation file, or name a file with prices of models in ASSAY_PRICES_FILE."

function estimateTask(task: TaskShape, seen: readonly SeenDataset[]): LaunchEstimate["tasks"][number] {
  const { name, run, endpoints, isTried = false } = task
  const { rows, about, max } = countRows(task, seen)
  // The guardrail of a calibration asks at least one model, which its stored configuration may name.
  const asked = Math.max(endpoints.length, isTried ? 1 : 0)
  const requests = asked === 0 ? 0 : rows === null ? null : rows * run.repeats * asked
  return { task: name, rows, about_rows: about, max_rows: max, repeats: run.repeats, requests }
}

/** A run with more requests is announced with what it asks, costs and takes. */
const MANY_REQUESTS = 1000

/** Returns whether a run is announced with its estimate. Rows that were not counted count by the sizes of their files. */
export function isLargeRun(estimate: LaunchEstimate): boolean {
  return (estimatedRequests(estimate) ?? 0) > MANY_REQUESTS
}

/** The number of rows that a task reads, as far as the beginning of its dataset shows it. */
interface RowCount {
  /** Null if only reading the whole dataset would show it. */
  readonly rows: number | null
  /** Approximate number, from the sizes of the files. Null if it is not known. */
  readonly about: number | null
  /** Null without a limit. */
  readonly max: number | null
}

/** Counts the rows of a task. They are known if the checks have seen the end of its dataset, or have counted its rows. */
function countRows({ rows, run }: TaskShape, seen: readonly SeenDataset[]): RowCount {
  const max = run.limit ?? Infinity
  if (rows.kind === "rows") return exactly(Math.min(rows.rows.length, max))
  const key = JSON.stringify(rows.dataset)
  const found = seen.find(({ dataset }) => JSON.stringify(dataset) === key)
  const own = Math.min(max, limitsOf(rows.dataset).limit ?? Infinity)
  if (found !== undefined && found.rows.length < FIRST_ROWS) return exactly(Math.min(found.rows.length, own))
  if (found?.total !== undefined) return exactly(Math.min(found.total, own))
  const about = found === undefined ? undefined : rowsBySize(found)
  const limit = Number.isFinite(own) ? own : null
  return { rows: null, about: about === undefined ? null : Math.min(about, own), max: limit }
}

function exactly(rows: number): RowCount {
  return { rows, about: rows, max: rows }
}

/** Returns undefined for files whose rows have no location in bytes, such as Parquet and compressed files. */
function rowsBySize({ rows, opened: { paths, pin } }: SeenDataset): number | undefined {
  const last = rows.findLast(({ path }) => path === rows[0]?.path)?.row
  const isPlain = paths.every((path) => /\.(?:jsonl|ndjson|csv|tsv)$/iu.test(path))
  if (!isPlain || last === undefined || last.offset === null || last.offset <= 0 || last.row_index <= 0)
    return undefined
  const read = new Set<string>(paths)
  const bytes = pin.files.reduce((sum, { path, size }) => sum + (read.has(path) ? size : 0), 0)
  return Math.max(rows.length, Math.round(bytes / (last.offset / last.row_index)))
}

interface SecondsBasis {
  readonly earlier: readonly EarlierAnswers[]
  readonly models: readonly ModelEstimate[]
  readonly speeds: EndpointSpeeds | undefined
  /** Requests a second to each endpoint that the job may send. Undefined: any number. */
  readonly rate: number | undefined
}

interface EstimatedSeconds {
  readonly range: { readonly low: number; readonly high: number } | null
  readonly note: string | undefined
}

type ModelEstimate = LaunchEstimate["models"][number]
type EstimatedTask = readonly [TaskShape, LaunchEstimate["tasks"][number]]

/** Tokens of an answer of unknown length, for the upper end. */
const UNKNOWN_TOKENS = 256
/** An endpoint may be twice as fast as when it was measured, or take twice as long. */
const FACTOR = 2
/** The time that this process needs: seconds for its start and its results, and milliseconds for each row. */
const OWN_SECONDS = 2
const OWN_ROW_MS = 3

/**
 * Estimates how long the tasks take, one after another, as a range. An earlier job with as many requests in flight shows it within a factor
 * of two. Otherwise the lower end is the time of answers of one token with all requests in flight; the upper end is the time of the longest answers with
 * as much at once as the endpoint was seen to do. Waits for limits of the rate are not counted.
 */
function estimateSeconds(
  tasks: readonly EstimatedTask[],
  { earlier, models, speeds, rate }: SecondsBasis,
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
    const paced = rate === undefined ? 0 : samples / rate
    const [low, high] = [Math.max(paced, about / FACTOR), Math.max(paced, about * FACTOR)]
    return { range: { low, high: high + OWN_SECONDS }, note }
  }
  if (speeds === undefined || tasks.every(([{ endpoints }]) => endpoints.length === 0))
    return { range: null, note: undefined }
  const each = tasks.map((task) => secondsOf(task, { models, speeds, rate }))
  if (each.includes(undefined)) return { range: null, note: "The time is not known: an endpoint did not answer." }
  const sum = (end: "low" | "high") => each.reduce((total, one) => total + (one?.[end] ?? 0), 0)
  const isGuessed = models.some(({ completion_tokens: tokens }) => tokens === null)
  const length = isGuessed
    ? `of ${formatInteger(UNKNOWN_TOKENS)} tokens where max_tokens does not limit them`
    : "as long as said above"
  const note = `Time: measured by short requests; the upper end is for answers ${length}. Waits for limits of the rate are not counted.`
  return { range: { low: sum("low"), high: OWN_SECONDS + sum("high") }, note }
}

/** Returns the seconds; undefined if an endpoint was not measured. */
function secondsOf(
  [{ endpoints, run }, { about_rows, repeats }]: EstimatedTask,
  { models, speeds, rate }: Omit<SecondsBasis, "earlier"> & { readonly speeds: EndpointSpeeds },
): { readonly low: number; readonly high: number } | undefined {
  const samples = (about_rows ?? 0) * repeats
  let low = 0
  let high = samples * OWN_ROW_MS
  for (const endpoint of endpoints) {
    const speed = speeds.get(endpointKey(endpoint))
    if (speed === undefined) return undefined
    const model = models.find(({ model: name, url }) => name === endpoint.model_id && url === maskUrlUser(endpoint.url))
    const pacedMs = rate === undefined ? 0 : (samples * 1000) / rate
    low += Math.max(pacedMs, (samples * speed.firstTokenMs) / FACTOR / run.parallelism)
    high += Math.max(pacedMs, samples * longestMs(speed, model) * Math.max(speed.share, 1 / run.parallelism) * FACTOR)
  }
  return { low: low / 1000, high: high / 1000 }
}

function longestMs({ firstTokenMs, tokenMs }: EndpointSpeed, model: ModelEstimate | undefined): number {
  const { requests = null, completion_tokens: tokens = null } = model ?? {}
  const each = tokens === null || requests === null || requests === 0 ? UNKNOWN_TOKENS : tokens / requests
  return firstTokenMs + tokenMs * each
}
