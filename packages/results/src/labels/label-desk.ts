import { digestNumber, outputDigest } from "../rows/output-digest.ts"
import {
  type AddedLabels,
  AssayError,
  type DrawnBy,
  type EvaluationConfigBody,
  type EvaluationRow,
  formatTimestamp,
  type LabelPage,
  type LabelQueue,
  type LabelReport,
  type LabelRow,
  type LabelsBody,
  type RowsToLabel,
  rowFieldsOf,
} from "@assay/schemas"
import { judges } from "@assay/scoring"
import type { DrawnLabels } from "../row-index/job-rows.ts"
import { formatDraw } from "../row-index/labels/draw-name.ts"
import type { RowDraw } from "../row-index/labels/draw-rows.ts"
import type { IssuedDraw } from "../row-index/labels/draw-probability.ts"
import type { JudgedScores, LabelledDigests } from "../row-index/labels/judged-scores.ts"
import type { RowKey } from "../row-index/open-tables.ts"
import { createLabelAcceptance } from "./accept-labels.ts"
import { clusterField, judgeRows } from "./judge-rows.ts"
import { labelQuestion, pairMetricOf } from "./label-question.ts"
import { drawsOf, labelsByAuthor, type PeopleLabel, peopleLabels, unsureDigests } from "./people-labels.ts"
import { rowsToAsk } from "./rows-to-ask.ts"

/** The scored rows of one job. Each operation throws `invalid_request` for an unknown score. */
export interface JudgedJob {
  readonly id: string
  readonly config: Pick<EvaluationConfigBody, "tasks" | "params" | "type"> | undefined
  /** Reads all rows, in batches. */
  read(): AsyncIterable<readonly EvaluationRow[]>
  at(rows: readonly RowKey[]): Promise<readonly (EvaluationRow | undefined)[]>
  draw(draw: RowDraw): Promise<DrawnLabels>
  /** Returns how likely rows are drawn; undefined for a row that is never drawn. */
  issued(draw: IssuedDraw): Promise<readonly (number | undefined)[]>
  judged(score: string, labels: LabelledDigests): Promise<JudgedScores>
  /** Returns the interval of a judge's mean, as results have it. */
  interval(score: string): Promise<NonNullable<LabelReport["judge"]>["interval"]>
}

/** The labels of people in one location: a fileset, or a file. */
export interface LabelStore {
  readonly name: string
  read(): Promise<readonly LabelRow[]>
  /** Adds labels, and returns how many there are then. */
  add(rows: readonly LabelRow[]): Promise<number>
}

export interface QueueOptions {
  readonly by: DrawnBy
  readonly seed: number
  readonly limit: number
  /** Default `open`. */
  readonly rows?: RowsToLabel
  /** The author of labels. Default: nobody is named. */
  readonly author?: string
}

/** The operations on labels for the rows of a job. `metric` is `metric.score`, or `metric` if it has one score. */
export interface LabelDesk {
  /**
   * Adds labels. The probability of a drawn row is computed here.
   * @throws `not_found` for a row that is not there, and `invalid_request` for a label that is not on the scale or a row that was not drawn; then nothing
   *   is kept
   */
  add(body: Omit<LabelsBody, "fileset">, createdAt: number): Promise<AddedLabels>
  /** Returns the labels that belong to rows of the job. */
  list(metric: string): Promise<LabelPage>
  /** Returns the rows to label next. */
  queue(metric: string, options: QueueOptions): Promise<LabelQueue>
  /** Corrects the mean of a judge by labels. */
  report(metric: string): Promise<LabelReport>
}

export function openLabelDesk(job: JudgedJob, store: LabelStore): LabelDesk {
  const nameOf = async (metric: string) => (await job.judged(metric, new Map())).score

  return {
    add: (body, createdAt) => addLabels(job, store, body, createdAt),
    async list(metric) {
      const score = await nameOf(metric)
      const about = (await store.read()).filter((row) => row.metric === score)
      const { labelled } = await job.judged(score, new Map(about.map(({ digest }) => [digestNumber(digest), null])))
      const data = about.filter(({ digest }) => labelled.has(digestNumber(digest)))
      return { object: "list", fileset: store.name, data }
    },
    queue: async (metric, options) => queueRows(job, store, await nameOf(metric), options),
    async report(metric) {
      const score = await nameOf(metric)
      const labels = await store.read()
      const people = peopleLabels(labels, score)
      const judged = await judgedBy(job, score, people)
      // The statistics are loaded with the first report.
      const { reportLabels } = await import("./report-labels.ts")
      const { labelAgreement } = await import("./label-agreement.ts")
      const { low, high, rubric, yes } = labelQuestion(job.config, score, judged)
      const report = reportLabels({ judged, judgeInterval: await job.interval(score), people, scale: { low, high } })
      const isNominal = rubric.length > 0 || yes !== null
      const agreement = labelAgreement(labels, { score, isNominal, digests: judged.labelled })
      return { job: job.id, fileset: store.name, ...report, unsure: await countUnsure(job, labels, score), agreement }
    },
  }
}

async function addLabels(
  job: JudgedJob,
  store: LabelStore,
  { labels, author }: Omit<LabelsBody, "fileset">,
  createdAt: number,
): Promise<AddedLabels> {
  const found = await job.at(labels.map(({ task, row_index: row, repeat }) => ({ task, row, repeat })))
  const rows = labels.map((label, at) => {
    const row = found[at]
    if (row === undefined) throw rowMissing(job.id, label)
    return { label, digest: outputDigest(row) }
  })
  const accepted = await createLabelAcceptance(job, rows)
  const added = rows.map(({ label, digest }): LabelRow => {
    const { metric: _metric, draw: _draw, probability: _probability, ...rest } = label
    return {
      ...rest,
      digest,
      ...accepted.of(label, digest),
      author: author ?? null,
      created_at: formatTimestamp(createdAt),
      job: job.id,
    }
  })
  return { fileset: store.name, added: added.length, total: await store.add(added) }
}

async function queueRows(
  job: JudgedJob,
  store: LabelStore,
  score: string,
  { by, seed, limit, rows = "open", author }: QueueOptions,
): Promise<LabelQueue> {
  const labels = await store.read()
  const people = peopleLabels(labels, score)
  const { except, only } = rowsToAsk(labels, { score, rows, author })
  const drawn = await job.draw({ score, by, seed, count: limit, labelled: except, only })
  const judged = await job.judged(score, drawsOf(people))
  return {
    object: "list",
    job: job.id,
    metric: score,
    fileset: store.name,
    by,
    seed,
    draw: formatDraw({ by, seed, job: job.id, score }),
    question: labelQuestion(job.config, score, judged),
    labelled: judged.labelled.size,
    unsure: await countUnsure(job, labels, score),
    candidates: drawn.candidates,
    data: drawn.rows.map(({ row, probability }) => ({
      ...rowFieldsOf(row),
      digest: outputDigest(row),
      probability,
      ...pairOf(job.config, score, row),
    })),
  }
}

function pairOf(
  config: JudgedJob["config"],
  score: string,
  row: EvaluationRow,
): Pick<LabelQueue["data"][number], "pair"> {
  const metric = pairMetricOf(config, score, row.task)
  const pair = metric === undefined ? undefined : judges.storedPair(metric, row)
  return pair === undefined ? {} : { pair }
}

/** Counts the rows of the job about which somebody is unsure, and that nobody labelled. */
async function countUnsure(job: JudgedJob, labels: readonly LabelRow[], score: string): Promise<number> {
  const unsure = unsureDigests(labelsByAuthor(labels, score))
  if (unsure.length === 0) return 0
  return (await job.judged(score, new Map(unsure.map((digest) => [digest, null])))).labelled.size
}

/** Judges the rows of a score. The rows themselves are only read if they have groups. */
async function judgedBy(
  job: JudgedJob,
  score: string,
  people: ReadonlyMap<number, PeopleLabel>,
): Promise<JudgedScores> {
  const tasks = Object.entries(job.config?.tasks ?? {}).flatMap(([task, { metrics = {} }]) =>
    Object.keys(metrics).flatMap((metric) => (score.startsWith(`${metric}.`) ? [{ task, metric }] : [])),
  )
  const [only, ...others] = tasks
  // Groups of several tasks have nothing to do with each other, so their rows count one by one.
  const isClustered = only !== undefined && others.length === 0 && clusterField(job.config, only.task) !== undefined
  if (!isClustered) return job.judged(score, drawsOf(people))
  const wanted = { ...only, score: score.slice(only.metric.length + 1), people }
  const [judged] = await judgeRows({ read: () => job.read() }, [wanted], { config: job.config })
  return judged ?? job.judged(score, drawsOf(people))
}

type LabelledRow = Pick<LabelsBody["labels"][number], "task" | "row_index" | "repeat">

function rowMissing(job: string, { task, row_index: row, repeat }: LabelledRow): AssayError {
  const message = `Evaluation job '${job}' has no row ${row} of task '${task.slice(0, 200)}' with repeat ${repeat} so far; no label was kept.`
  return new AssayError("not_found", message, { context: { job } })
}
