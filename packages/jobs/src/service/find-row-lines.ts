import { join } from "node:path"
import type { Registry } from "@assay/registry"
import { type EvaluationJob, isAssayError, isFinalJobStatus } from "@assay/schemas"
import { type JobRows, rowLines } from "@assay/results"
import { jobFolder } from "./job-folders.ts"
import type { JobRights } from "../rights/job-rights.ts"
import { openResultsFileset } from "../outputs/results-fileset.ts"
import { findResultsLocation } from "../outputs/results-location.ts"

export interface RowLinesContext {
  readonly registry: Pick<Registry, "jobs" | "as">
  /** The folder for files of jobs on this machine. */
  readonly folder: string
  /** The folder for indexes of journals in the database. Absent: journals are files on this machine, and their indexes beside them. */
  readonly indexFolder?: string | undefined
  readonly rows: Pick<JobRows, "remove">
}

export type RowLines = ReturnType<typeof rowLines.ofFile>

/** Finds where the rows of jobs are: in their journals, or else in their results. */
export interface FindRowLines {
  /** @throws `rows_gone`, `forbidden` if the results are in a workspace that the caller may not see, and the errors of their storage */
  of(job: EvaluationJob, rights: JobRights): Promise<RowLines>
  /** Removes the indexes of a job, and the copy of its rows. */
  forget(id: string): Promise<void>
}

export function createFindRowLines({ registry, folder, indexFolder, rows }: RowLinesContext): FindRowLines {
  const { jobs } = registry
  const copying = new Map<string, Promise<void>>()
  const ownFolder = (id: string) => jobFolder(folder, id)

  const journalOf = (id: string): RowLines =>
    indexFolder === undefined
      ? rowLines.ofFile(id, join(ownFolder(id), "row-index"), join(ownFolder(id), "rows.jsonl"))
      : rowLines.ofTable(id, join(indexFolder, id), jobs.openJournal(id))

  function copyOf(id: string): RowLines {
    const copy = indexFolder === undefined ? join(ownFolder(id), "result-rows") : join(indexFolder, `${id}-results`)
    return rowLines.ofCopy(id, copy)
  }

  /** Copies the rows of the results. Requests at the same time wait for one copy. */
  async function copyResults(job: EvaluationJob, rights: JobRights): Promise<void> {
    const location = await findResultsLocation(jobs, job, rights.sees)
    const file = await openResultsFileset(registry.as(rights.edits), location).file("results/rows.jsonl")
    const copied = copyOf(job.id)
    const removeFolder = async () => {
      await rows.remove(copied)
      // If the job runs again, it begins another journal.
      await rows.remove(journalOf(job.id))
    }
    const running = copying.get(job.id) ?? rowLines.copy(file, copied, removeFolder)
    copying.set(job.id, running)
    try {
      await running
    } finally {
      if (copying.get(job.id) === running) copying.delete(job.id)
    }
  }

  return {
    async of(job, rights) {
      const { id, status, status_details } = job
      const journal = journalOf(id)
      if (!isFinalJobStatus(status) || !(await journal.source.isEmpty())) return journal
      try {
        await copyResults(job, rights)
      } catch (error) {
        if (!isAssayError(error, "not_found")) throw error
        // A job that ended before its first row has an empty journal and no file of rows.
        if ((status_details.samples_processed ?? 0) === 0) return journal
        const details =
          ": the server has no journal of the job, and its results have no results/rows.jsonl. Restore the fileset of the results from a backup, or launch the job again"
        throw rowLines.gone(id, details, error)
      }
      return copyOf(id)
    },
    async forget(id) {
      await rows.remove(journalOf(id))
      await rows.remove(copyOf(id))
    },
  }
}
