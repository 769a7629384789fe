import { AssayError, invalidRequest, type PairLabelQueue, rowFieldsOf } from "@assay/schemas"
import { labelQuestion } from "../labels/label-question.ts"
import { labelsByAuthor, type PeopleLabel, peopleLabels, unsureDigests } from "../labels/people-labels.ts"
import { outputDigest } from "../rows/output-digest.ts"
import { readRowsAt } from "../rows/read-latest-rows.ts"
import { isHigherBetter, listScores, type NamedScore } from "../scores/list-scores.ts"
import { changedIdentity, describeChanged } from "./changed-identity.ts"
import { sameRows } from "./compare-side.ts"
import { correctBySequence } from "../corrected/correct-by-sequence.ts"
import { type ComparisonLabels, isScaleKnown } from "../corrected/pair-facts.ts"
import { sidesOf, spanOf } from "./correct-score.ts"
import { type JobToCompare, readJobValues, requireDifferentJobs, scoreKey } from "./job-to-compare.ts"
import { type DrawablePair, drawPairs } from "../corrected/pair-draw.ts"
import { formatPairDraw } from "../row-index/labels/pair-draw-id.ts"
import { scoredPairs } from "../corrected/scored-pairs.ts"

export interface PairQueueOptions {
  readonly labels: ComparisonLabels
  /** `metric.score`, or `metric` if it has one score. */
  readonly metric: string
  /** The task of the score, if several have it. */
  readonly task?: string
  readonly margin: number
  readonly seed: number
  /** The largest number of pairs. */
  readonly limit: number
  /** Draw although the meaning of the score differs between the jobs. Default false. */
  readonly allowChanged?: boolean
  readonly signal?: AbortSignal
}

/**
 * Returns the rows of two jobs that people should label next, until their comparison is decided. Reads the rows of both twice.
 * @throws `invalid_request` for an unknown score, for one that measures something else in the other job, and for one without a lowest and a highest value
 */
export async function queuePairs(
  jobs: readonly [baseline: JobToCompare, job: JobToCompare],
  options: PairQueueOptions,
): Promise<PairLabelQueue> {
  const [first, second] = jobs
  requireDifferentJobs(first, second)
  const { labels, margin, seed, limit, signal } = options
  const key = findScore(first, options)
  checkSame(jobs, key, options.allowChanged ?? false)
  const score = `${key.metric}.${key.score}`
  const reading = { signal, withDigests: true }
  const read = [await readJobValues(first, reading), await readJobValues(second, reading)] as const
  const [baseline, other] = read.map(({ tasks }) => tasks.get(key.task))
  const [a, b] = [baseline, other].map((task) => task?.scores.get(scoreKey(key.metric, key.score)))
  if (baseline === undefined || other === undefined || a === undefined || b === undefined) throw noScore(jobs, key)
  const sides = sidesOf({ baseline, other, values: [a, b], isSameRow: sameRows(baseline, other) })
  if (sides === undefined) throw noScore(jobs, key)
  const people = peopleLabels(labels.rows, score)
  const question = labelQuestion(first.config, score, spanOf([a, b]))
  if (!isScaleKnown(question)) throw noScale(key, first)
  const pairs = scoredPairs(sides, { people, withPicked: true })
  if (pairs[Symbol.iterator]().next().done === true) throw noScore(jobs, key)
  const found = correctBySequence(pairs, {
    labels,
    score,
    jobs: [first.id, second.id],
    names: [first.name, second.name],
    scale: question,
    margin,
    higherIsBetter: isHigherBetter(first.config, key),
    people,
    seed,
  })
  const { corrected, span } = found
  const isDecided = corrected.verdict !== "INCONCLUSIVE"
  const { order } = drawPairs(pairs, seed, span)
  const unsure = new Set(unsureDigests(labelsByAuthor(labels.rows, score)))
  const wanted = isDecided ? [] : toLabel(order, { people, unsure, limit })
  return {
    object: "list",
    jobs: jobs.map(({ id, name }) => ({ id, name })),
    task: key.task,
    metric: score,
    fileset: labels.name,
    margin,
    seed,
    draw: formatPairDraw({ jobs: [first.id, second.id], score, seed }),
    question,
    is_decided: isDecided,
    corrected,
    labelled: found.answered,
    data: await readPairRows(jobs, read, { task: key.task, wanted, signal }),
  }
}

interface WantedRow {
  readonly side: 0 | 1
  readonly row: number
  readonly repeat: number
}

interface ToLabel {
  readonly people: ReadonlyMap<number, PeopleLabel>
  readonly unsure: ReadonlySet<number>
  readonly limit: number
}

/** Chooses the outputs without a label of the first pairs that lack one. Which side comes first says nothing: it depends on the outputs. */
function toLabel(order: readonly DrawablePair[], { people, unsure, limit }: ToLabel): readonly WantedRow[] {
  const open = ({ pair: { digests } }: DrawablePair, side: 0 | 1) =>
    !people.has(digests[side]) && !unsure.has(digests[side])
  const pairs = order.filter((one) => open(one, 0) || open(one, 1)).slice(0, limit)
  return pairs.flatMap((one) => {
    const { row, repeat, digests } = one.pair
    const sides = digests[0] < digests[1] ? ([0, 1] as const) : ([1, 0] as const)
    return sides.filter((side) => open(one, side)).map((side) => ({ side, row, repeat }))
  })
}

interface WantedRows {
  readonly task: string
  readonly wanted: readonly WantedRow[]
  readonly signal: AbortSignal | undefined
}

async function readPairRows(
  jobs: readonly [JobToCompare, JobToCompare],
  read: readonly [{ readonly attempts: number }, { readonly attempts: number }],
  { task, wanted, signal }: WantedRows,
): Promise<PairLabelQueue["data"]> {
  const ofSide = (side: 0 | 1) => wanted.filter((one) => one.side === side).map((one) => ({ task, ...one }))
  const rowsOf = async (side: 0 | 1) =>
    readRowsAt(jobs[side].rows, ofSide(side), { attempts: read[side].attempts, signal })
  const next = [(await rowsOf(0)).values(), (await rowsOf(1)).values()] as const
  return wanted.flatMap(({ side }) => {
    const row = next[side].next().value
    return row === undefined ? [] : [{ job: jobs[side].id, ...rowFieldsOf(row), digest: outputDigest(row) }]
  })
}

/** Finds the score that is named `metric.score`, or `metric` if it has one. */
function findScore(job: JobToCompare, { metric, task }: Pick<PairQueueOptions, "metric" | "task">): NamedScore {
  const all = listScores(job.result).filter((one) => task === undefined || one.task === task)
  const exact = all.filter((one) => `${one.metric}.${one.score}` === metric)
  const named = exact.length > 0 ? exact : all.filter((one) => one.metric === metric)
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) return only
  const list = (only === undefined ? all : named).slice(0, 20).map(({ name }) => `'${name}'`)
  const shown = metric.slice(0, 200)
  const message =
    only === undefined
      ? `'${job.name}' has no score '${shown}'; it has ${list.join(", ") || "none"}.`
      : `'${shown}' is several scores of '${job.name}': name the score and its task, of ${list.join(", ")}.`
  throw invalidRequest(["query", "metric"], message, "value_error", shown)
}

function checkSame(jobs: readonly [JobToCompare, JobToCompare], key: NamedScore, isAllowed: boolean): void {
  const changed = changedIdentity(...jobs, key)
  if (changed.length === 0 || isAllowed) return
  const [sentence = ""] = describeChanged([{ ...key, changed }], [jobs[0].name, jobs[1].name])
  throw new AssayError("invalid_request", `${sentence} Labels would decide nothing, unless that is allowed.`)
}

/** One extreme label can change the mean of all rows, so that no number of labels decides. */
function noScale({ name }: NamedScore, job: JobToCompare): AssayError {
  const message =
    `'${name}' of '${job.name}' has no known lowest and highest value, so labels of some rows can't decide about all: give its score a scale ` +
    "('scale', or 'minimum' and 'maximum') and score again with 'assay eval rescore', or label a fixed number of rows of each job."
  return invalidRequest(["query", "metric"], message, "value_error", name)
}

function noScore(jobs: readonly [JobToCompare, JobToCompare], { name }: NamedScore): AssayError {
  const message = `'${jobs[0].name}' and '${jobs[1].name}' have no rows that both have the score '${name}'.`
  return invalidRequest(["query", "metric"], message, "value_error", name)
}
