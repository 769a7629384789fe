import type { Registry } from "@assay/registry"
import { AssayError, formatTimestamp, rowFieldsOf } from "@assay/schemas"
import type { AddedLabels, DrawnBy, LabelPage, LabelQueue, LabelReport, LabelRow, LabelsBody } from "@assay/schemas/labels"
import { addLabels, labelPlaceOf, nameOf, readLabels, type LabelPlace } from "../labels/label-fileset.ts"
import { peopleLabels } from "../labels/people-labels.ts"
import { digestNumber, outputDigest } from "../rows/output-digest.ts"
import type { EvaluationRows } from "./evaluation-rows.ts"
import { findJob, type JobCaller } from "./job-caller.ts"
import { checkSeen } from "./job-host.ts"

/** Labels of people for rows of jobs, for callers that may see the job. They are kept in filesets. */
export interface EvaluationLabels {
  /** @throws `not_found`, `forbidden`, `rows_gone`, `invalid_request` */
  add(id: string, body: LabelsBody, caller: JobCaller): Promise<AddedLabels>
  /** Returns the labels that belong to rows of the job. */
  list(id: string, query: LabelQuery, caller: JobCaller): Promise<LabelPage>
  /** Returns the rows to label next. @throws `invalid_request` for an unknown score */
  queue(id: string, query: QueueQuery, caller: JobCaller): Promise<LabelQueue>
  /** Corrects the mean of a judge by labels. @throws `invalid_request` for an unknown score */
  report(id: string, query: LabelQuery, caller: JobCaller): Promise<LabelReport>
}

export interface LabelQuery {
  /** `metric.score`, or `metric` if it has one score. */
  readonly metric: string
  /** Default: `labels` in the workspace of the job. */
  readonly fileset?: string | undefined
}

export interface QueueQuery extends LabelQuery {
  readonly by: DrawnBy
  readonly seed: number
  readonly limit: number
}

export interface EvaluationLabelsContext {
  readonly registry: Registry
  readonly rows: EvaluationRows
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
}

export function createEvaluationLabels({ registry, rows, now }: EvaluationLabelsContext): EvaluationLabels {
  async function placeOf(id: string, fileset: string | undefined, caller: JobCaller): Promise<LabelPlace> {
    const { namespace } = await findJob(registry, id, { caller, role: "viewer" })
    const place = labelPlaceOf(fileset, namespace)
    checkSeen(place.workspace, { workspace: namespace, rights: caller.rights })
    return place
  }
  const filesOf = ({ rights }: JobCaller) => registry.as(rights.edits)

  /** Returns the score by its whole name, and the labels for it. */
  async function open(id: string, { metric, fileset }: LabelQuery, caller: JobCaller) {
    const place = await placeOf(id, fileset, caller)
    const { score } = await rows.judged(id, metric, new Set(), caller)
    const all = await readLabels(filesOf(caller).files, place)
    return { place, all, score, people: peopleLabels(all, score) }
  }

  return {
    async add(id, { labels, fileset, author }, caller) {
      const place = await placeOf(id, fileset, caller)
      caller.checkRole(place.workspace, "editor")
      const scores = new Map<string, string>()
      for (const metric of new Set(labels.map((label) => label.metric))) {
        scores.set(metric, (await rows.judged(id, metric, new Set(), caller)).score)
      }
      const keys = labels.map(({ task, row_index: row, repeat }) => ({ task, row, repeat }))
      const found = await rows.at(id, keys, caller)
      const created_at = formatTimestamp(now())
      const added = labels.map(({ metric, probability = null, ...label }, at): LabelRow => {
        const row = found[at]
        if (row === undefined) throw rowMissing(id, label)
        const score = scores.get(metric) ?? metric
        return { ...label, digest: outputDigest(row), metric: score, author: author ?? null, created_at, probability, job: id }
      })
      const total = await addLabels(filesOf(caller), place, added)
      return { fileset: nameOf(place), added: added.length, total }
    },
    async list(id, query, caller) {
      const { place, all, score, people } = await open(id, query, caller)
      const { labelled } = await rows.judged(id, score, new Set(people.keys()), caller)
      const isHere = ({ digest }: LabelRow) => labelled.has(digestNumber(digest))
      return { object: "list", fileset: nameOf(place), data: all.filter((row) => row.metric === score && isHere(row)) }
    },
    async queue(id, { by, seed, limit, ...query }, caller) {
      const { place, score, people } = await open(id, query, caller)
      const labelled = new Set(people.keys())
      const drawn = await rows.draw(id, { score, by, seed, count: limit, labelled }, caller)
      const known = await rows.judged(id, score, labelled, caller)
      return {
        object: "list",
        job: id,
        metric: score,
        fileset: nameOf(place),
        by,
        seed,
        labelled: known.labelled.size,
        candidates: drawn.candidates,
        data: drawn.rows.map(({ row, probability }) => ({ ...rowFieldsOf(row), digest: outputDigest(row), probability })),
      }
    },
    async report(id, query, caller) {
      const { place, score, people } = await open(id, query, caller)
      const judged = await rows.judged(id, score, new Set(people.keys()), caller)
      const { interval } = await rows.distribution(id, { metric: score, parameters: [] }, caller)
      const { reportLabels } = await import("../labels/report-labels.ts")
      return { job: id, fileset: nameOf(place), ...reportLabels({ judged, judgeInterval: interval, people }) }
    },
  }
}

function rowMissing(job: string, { task, row_index: row, repeat }: { task: string; row_index: number; repeat: number }) {
  const message = `Evaluation job '${job}' has no row ${row} of task '${task.slice(0, 200)}' with repeat ${repeat} so far; no label was kept.`
  return new AssayError("not_found", message, { context: { job } })
}
