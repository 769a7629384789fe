import { rm } from "node:fs/promises"
import { join } from "node:path"
import { fieldsOf } from "@assay/json"
import { rescoring } from "@assay/evaluation"
import type { Registry } from "@assay/registry"
import { AssayError, type EvaluationJob, isAssayError } from "@assay/schemas"
import { writeWholeFile } from "@assay/storage"
import { openResultsFileset } from "./results-fileset.ts"
import { findResultsLocation } from "./results-location.ts"
import type { JobRights } from "../rights/job-rights.ts"
import { rescoredJob, type OutputsSource, openStoredRows, type SourceEnd, unansweredOf } from "@assay/attempts"

export interface ServedSourceOptions {
  readonly registry: Pick<Registry, "jobs" | "as">
  readonly rights: JobRights
  /** The folder of the job on this machine, which gets a copy of the rows while they are scored. */
  readonly workFolder: string
}

/** Returns the job of a server whose outputs a job scores. Undefined: the job asks its target. */
export function servedSource(
  { rescored_from: id, namespace: own }: Pick<EvaluationJob, "rescored_from" | "namespace">,
  { registry, rights, workFolder }: ServedSourceOptions,
): OutputsSource | undefined {
  if (id === undefined) return undefined
  const copy = join(workFolder, "outputs.jsonl")
  return {
    id,
    async open(job, environment, signal) {
      const source = await findSource(registry, id)
      const location = await findResultsLocation(registry.jobs, source, (name) => name === own || rights.sees(name))
      const files = openResultsFileset(
        registry.as((name) => name === own || rights.edits(name)),
        location,
        signal,
      )
      const end = await readEnd(files, source)
      await writeWholeFile(copy, copied((await files.file("results/rows.jsonl")).open()), { signal })
      const rows = await openStoredRows(copy)
      const close = async () => {
        await rows[Symbol.asyncDispose]()
        await rm(copy, { force: true })
      }
      try {
        const { taskOf } = rescoredJob(source, job.config)
        const plan = await rescoring.plan(job, environment, { outputs: { rows, taskOf }, signal })
        const closeAll = async () => {
          await plan.close()
          await close()
        }
        // The outputs are those of the rows that the other job has read.
        return {
          plan: { ...plan, pins: source.pins, close: closeAll },
          faultOf: (processed) => unansweredOf(end, processed),
        }
      } catch (error) {
        await close()
        throw error
      }
    },
  }
}

async function findSource({ jobs }: ServedSourceOptions["registry"], id: string): Promise<EvaluationJob> {
  try {
    return await jobs.get(id)
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    const message = `The earlier job '${id}' was deleted, and its outputs with it.`
    throw new AssayError("not_found", message, { cause: error, context: { job: id } })
  }
}

/** Reads how the attempt ended whose rows are scored: the job may run again meanwhile. */
async function readEnd(
  files: Pick<ReturnType<typeof openResultsFileset>, "file">,
  { status }: EvaluationJob,
): Promise<SourceEnd> {
  const pieces = await Array.fromAsync(copied((await files.file("config/job.json")).open()))
  const stored: Partial<SourceEnd> = fieldsOf(JSON.parse(Buffer.concat(pieces).toString()))
  return { status: stored.status ?? status, units: stored.units }
}

/** Copies each piece, since the storage may use its buffer again for the next one. */
async function* copied(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces) yield Buffer.from(piece)
}
