import type { Registry } from "@assay/registry"
import type { AddedLabels, LabelPage, LabelQueue, LabelReport, LabelRow, LabelsBody } from "@assay/schemas"
import { createPathLocks } from "@assay/storage"
import type { labelDesk, labelStore } from "@assay/results"
import type { EvaluationRows } from "./evaluation-rows.ts"
import { findJob, type JobCaller } from "./job-caller.ts"
import { checkSeen } from "../rights/job-rights.ts"

type LabelDesk = ReturnType<typeof labelDesk.ofJob>
type LabelStore = ReturnType<typeof labelStore.ofFileset>

/** Labels of people for rows of jobs, for callers that may see the job. They are kept in filesets. */
export interface EvaluationLabels {
  /** @throws `not_found`, `forbidden`, `rows_gone`, `invalid_request` */
  add(id: string, body: LabelsBody, caller: JobCaller): Promise<AddedLabels>
  /** Returns the labels that belong to rows of the job. @throws `invalid_request` for an unknown score */
  list(id: string, query: LabelQuery, caller: JobCaller): Promise<LabelPage>
  /** Returns the rows to label next. @throws `invalid_request` for an unknown score */
  queue(id: string, query: LabelQuery & Parameters<LabelDesk["queue"]>[1], caller: JobCaller): Promise<LabelQueue>
  /** Returns all labels of a fileset, for a job of whose rows some may be about. */
  read(id: string, fileset: string | undefined, caller: JobCaller): Promise<ReadLabels>
  /** Corrects the mean of a judge by labels. @throws `invalid_request` for an unknown score */
  report(id: string, query: LabelQuery, caller: JobCaller): Promise<LabelReport>
}

/** Labels, and the fileset as messages call it. */
export interface ReadLabels {
  readonly name: string
  readonly rows: readonly LabelRow[]
}

export interface LabelQuery {
  /** `metric.score`, or `metric` if it has one score. */
  readonly metric: string
  /** Default: `labels` in the workspace of the job. */
  readonly fileset?: string | undefined
}

export interface EvaluationLabelsContext {
  readonly registry: Registry
  readonly rows: EvaluationRows
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
}

interface OpenOptions {
  readonly fileset: string | undefined
  readonly role: "viewer" | "editor"
}

export function createEvaluationLabels({ registry, rows, now }: EvaluationLabelsContext): EvaluationLabels {
  const locks = createPathLocks()

  async function openStore(id: string, { fileset, role }: OpenOptions, caller: JobCaller): Promise<LabelStore> {
    const { namespace: workspace } = await findJob(registry, id, { caller, role: "viewer" })
    const { labelStore } = await import("@assay/results")
    const location = labelStore.locate(fileset, workspace)
    checkSeen(location.workspace, { workspace, rights: caller.rights })
    caller.checkRole(location.workspace, role)
    return labelStore.ofFileset(registry.as(caller.rights.edits), location, locks)
  }

  async function open(id: string, options: OpenOptions, caller: JobCaller): Promise<LabelDesk> {
    const store = await openStore(id, options, caller)
    const { labelDesk } = await import("@assay/results")
    return labelDesk.ofJob(await rows.judged(id, caller), store)
  }

  return {
    add: async (id, { fileset, ...body }, caller) =>
      (await open(id, { fileset, role: "editor" }, caller)).add(body, now()),
    list: async (id, { metric, fileset }, caller) => (await open(id, { fileset, role: "viewer" }, caller)).list(metric),
    queue: async (id, { metric, fileset, ...options }, caller) =>
      (await open(id, { fileset, role: "viewer" }, caller)).queue(metric, options),
    async read(id, fileset, caller) {
      const store = await openStore(id, { fileset, role: "viewer" }, caller)
      return { name: store.name, rows: await store.read() }
    },
    report: async (id, { metric, fileset }, caller) =>
      (await open(id, { fileset, role: "viewer" }, caller)).report(metric),
  }
}
