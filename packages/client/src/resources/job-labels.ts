import type { AddedLabels, DrawnBy, LabelPage, LabelQueue, LabelReport, LabelsBody, RowsToLabel } from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"

export interface LabelQuery {
  /** `<metric>.<score>`, or `<metric>` if it has one score. */
  readonly metric: string
  /** The fileset with the labels. Default: `labels` in the workspace of the job. */
  readonly fileset?: string
}

export interface LabelQueueQuery extends LabelQuery {
  /** Default `random`. */
  readonly by?: DrawnBy
  /** The same seed draws the same rows in the same order. Default 1. */
  readonly seed?: number
  /** From 1 to 1000. Default 20. */
  readonly limit?: number
  /** Default `open`: rows without a label. */
  readonly rows?: RowsToLabel
  /** The author of the labels. Rows that this author labelled, or was unsure about, are left out. */
  readonly author?: string
}

/** Labels of people, by the id of a job. */
export interface JobLabels {
  /** Adds labels to rows. @throws `not_found` for a row that is not there; then nothing is kept */
  add(id: string, body: LabelsBody, options?: CallOptions): Promise<AddedLabels>
  /** Returns the labels of a score that belong to rows of the job. */
  list(id: string, query: LabelQuery, options?: CallOptions): Promise<LabelPage>
  /** Returns the rows to label next. */
  next(id: string, query: LabelQueueQuery, options?: CallOptions): Promise<LabelQueue>
  /** Returns the judge's mean, corrected by labels. */
  report(id: string, query: LabelQuery, options?: CallOptions): Promise<LabelReport>
}

/** `path` returns the path of a part of a job. */
export function createJobLabels(call: CallJson, path: (...below: readonly string[]) => string): JobLabels {
  return {
    add: async (id, json, { signal } = {}) =>
      call({ method: "PUT", path: path(id, "labels"), json, signal, patient: true }),
    list: async (id, query, { signal } = {}) =>
      call({ method: "GET", path: path(id, "labels"), query: { ...query }, signal, patient: true }),
    next: async (id, query, { signal } = {}) =>
      call({ method: "GET", path: path(id, "labels", "next"), query: { ...query }, signal, patient: true }),
    report: async (id, query, { signal } = {}) =>
      call({ method: "GET", path: path(id, "labels", "report"), query: { ...query }, signal, patient: true }),
  }
}
