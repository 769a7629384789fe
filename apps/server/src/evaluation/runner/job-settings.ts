import { mkdir } from "node:fs/promises"
import { arch, platform } from "node:os"
import { join } from "node:path"
import process from "node:process"
import type { Journal, OpenJobSetting } from "@assay/evaluation"
import type { JobRun } from "@assay/registry"
import { loadEvaluation } from "../load-evaluation.ts"
import { filesUrlOfPlace, findResultsPlace } from "../results-place.ts"
import { createServerEnvironment, type ServerEnvironmentContext } from "../environment/create-server-environment.ts"
import { rightsOfGrants } from "../environment/environment-rights.ts"
import { jobLogLines } from "./job-log-lines.ts"
import { stageResults } from "./stage-results.ts"

export interface JobSettingsContext extends ServerEnvironmentContext {
  /** Where this machine keeps what belongs to jobs. */
  readonly folder: string
  /** Whether other servers can take up the jobs of this one: their journals are in the database then. */
  readonly isShared: boolean
  readonly version: string
}

/** The folder of a job's own on this machine. */
export function jobFolder(folder: string, id: string): string {
  return join(folder, "jobs", id)
}

/** Opens what jobs of this server are run with. */
export function createJobSettings(context: JobSettingsContext): OpenJobSetting {
  const { registry, folder, isShared, version } = context
  const versions = { assay: version, node: process.version, platform: `${platform()} ${arch()}` }

  return async (run) => {
    const { job, round } = run
    const { id, namespace } = job
    const { removeJobFolder, writeResults } = await loadEvaluation()
    const workFolder = jobFolder(folder, id)
    await mkdir(workFolder, { recursive: true, mode: 0o700 })
    const rights = rightsOfGrants(round.grants)
    const environment = await createServerEnvironment(context, {
      namespace,
      rights,
      workFolder,
      responseCacheFolder: join(folder, "answers", namespace),
      outputFilesUrl: job.output_files_url,
    })
    const files = registry.as((workspace) => workspace === namespace || rights.edits(workspace))
    const findPlace = () => findResultsPlace(registry.jobs, job, rights.edits)
    const journal = await openJournal(run, workFolder, isShared)
    return {
      environment,
      journal,
      filesUrl: filesUrlOfPlace(await findPlace(), run.folder),
      async stageResults({ status, message, result, conditions, pins, progress }, signal) {
        const outcome = { status, message, result, conditions, pins, progress }
        const staged = await stageResults(run, { files, findPlace, signal })
        try {
          const log = jobLogLines(registry.jobs, id)
          await writeResults({ job, ...outcome, journal, log, environment: versions }, staged, { signal })
          await staged.keepOthers()
        } catch (error) {
          await staged.toPublish.settle(false).catch(() => {})
          throw error
        }
        return staged.toPublish
      },
      async close() {
        await journal.close()
        // Whoever takes the job up next finds nothing here.
        if (isShared) await removeJobFolder(workFolder)
      },
    }
  }
}

async function openJournal(run: JobRun, workFolder: string, isShared: boolean): Promise<Journal> {
  if (isShared) return run.openJournal()
  const { openFileJournal } = await loadEvaluation()
  return openFileJournal(join(workFolder, "rows.jsonl"))
}
