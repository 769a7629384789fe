import { AssayError, formatTimestamp, rowFieldsOf, type EvaluationRow } from "@assay/schemas"
import type {
  AddedLabels,
  DrawnBy,
  LabelPage,
  LabelQueue,
  LabelReport,
  LabelRow,
  LabelsBody,
} from "@assay/schemas/labels"
import type { DrawnLabels } from "../row-index/job-rows.ts"
import type { RowDraw } from "../row-index/labels/draw-rows.ts"
import type { JudgedScores } from "../row-index/labels/judged-scores.ts"
import type { RowKey } from "../row-index/open-tables.ts"
import { digestNumber, outputDigest } from "../rows/output-digest.ts"
import { peopleLabels } from "./people-labels.ts"

/** The scored rows of one job. Each operation throws `invalid_request` for an unknown score. */
export interface JudgedJob {
  readonly id: string
  at(rows: readonly RowKey[]): Promise<readonly (EvaluationRow | undefined)[]>
  draw(draw: RowDraw): Promise<DrawnLabels>
  judged(score: string, labels: ReadonlySet<number>): Promise<JudgedScores>
  /** Returns the interval of a judge's mean, as results have it. */
  interval(score: string): Promise<LabelReport["judge"]["interval"]>
}

/** The labels of people in one place: a fileset, or a file. */
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
}

/** What people do with labels for the rows of a job. `metric` is `metric.score`, or `metric` if it has one score. */
export interface LabelDesk {
  /** @throws `not_found` for a row that is not there; then nothing is kept */
  add(body: Omit<LabelsBody, "fileset">, createdAt: number): Promise<AddedLabels>
  /** Returns the labels that belong to rows of the job. */
  list(metric: string): Promise<LabelPage>
  /** Returns the rows to label next. */
  queue(metric: string, options: QueueOptions): Promise<LabelQueue>
  /** Corrects the mean of a judge by labels. */
  report(metric: string): Promise<LabelReport>
}

export function openLabelDesk(job: JudgedJob, store: LabelStore): LabelDesk {
  const nameOf = async (metric: string) => (await job.judged(metric, new Set())).score

  async function namesOf(metrics: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>()
    for (const metric of new Set(metrics)) names.set(metric, await nameOf(metric))
    return names
  }

  return {
    async add({ labels, author }, createdAt) {
      const names = await namesOf(labels.map(({ metric }) => metric))
      const found = await job.at(labels.map(({ task, row_index: row, repeat }) => ({ task, row, repeat })))
      const added = labels.map(({ metric, probability = null, ...label }, at): LabelRow => {
        const row = found[at]
        if (row === undefined) throw rowMissing(job.id, label)
        return {
          ...label,
          digest: outputDigest(row),
          metric: names.get(metric) ?? metric,
          author: author ?? null,
          created_at: formatTimestamp(createdAt),
          probability,
          job: job.id,
        }
      })
      return { fileset: store.name, added: added.length, total: await store.add(added) }
    },
    async list(metric) {
      const score = await nameOf(metric)
      const about = (await store.read()).filter((row) => row.metric === score)
      const { labelled } = await job.judged(score, new Set(about.map(({ digest }) => digestNumber(digest))))
      const data = about.filter(({ digest }) => labelled.has(digestNumber(digest)))
      return { object: "list", fileset: store.name, data }
    },
    async queue(metric, { by, seed, limit }) {
      const score = await nameOf(metric)
      const labels = new Set(peopleLabels(await store.read(), score).keys())
      const drawn = await job.draw({ score, by, seed, count: limit, labelled: labels })
      const { labelled } = await job.judged(score, labels)
      return {
        object: "list",
        job: job.id,
        metric: score,
        fileset: store.name,
        by,
        seed,
        labelled: labelled.size,
        candidates: drawn.candidates,
        data: drawn.rows.map(({ row, probability }) => ({
          ...rowFieldsOf(row),
          digest: outputDigest(row),
          probability,
        })),
      }
    },
    async report(metric) {
      const score = await nameOf(metric)
      const people = peopleLabels(await store.read(), score)
      const judged = await job.judged(score, new Set(people.keys()))
      // The statistics are loaded with the first report.
      const { reportLabels } = await import("./report-labels.ts")
      const report = reportLabels({ judged, judgeInterval: await job.interval(score), people })
      return { job: job.id, fileset: store.name, ...report }
    },
  }
}

type LabelPlace = Pick<LabelsBody["labels"][number], "task" | "row_index" | "repeat">

function rowMissing(job: string, { task, row_index: row, repeat }: LabelPlace): AssayError {
  const message = `Evaluation job '${job}' has no row ${row} of task '${task.slice(0, 200)}' with repeat ${repeat} so far; no label was kept.`
  return new AssayError("not_found", message, { context: { job } })
}
