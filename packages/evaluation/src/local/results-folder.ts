import { join, resolve } from "node:path"
import type {
  Condition,
  DatasetPin,
  EvaluationConfigBody,
  EvaluationResult,
  EvaluationTargetBody,
  JobStatus,
} from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { readRegularFile } from "@assay/storage/paths"
import type { Context } from "../../../context.ts"
import { printable } from "../../../output/printable.ts"
import { localFailure } from "@assay/storage/paths"

/** A job as `config/job.json` of its results has it. */
export interface StoredJob {
  readonly id: string
  readonly namespace: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
  readonly status: JobStatus
  readonly conditions: readonly Condition[]
  readonly pins: readonly DatasetPin[]
}

export interface ResultsFolder {
  readonly job: StoredJob
  readonly result: EvaluationResult
  /** Absolute. */
  readonly rowsFile: string
}

/** Results on this machine: the folder of a run, or an archive that was unpacked. @throws `bad_usage` */
export async function readResultsFolder(context: Pick<Context, "cwd">, written: string): Promise<ResultsFolder> {
  const folder = resolve(context.cwd, written)
  const job = await readStoredJob(context, written)
  const result = (await readJson(written, join(folder, "results", "results.json"))) as EvaluationResult
  return { job, result, rowsFile: join(folder, "results", "rows.jsonl") }
}

/** @throws `bad_usage` */
export async function readStoredJob({ cwd }: Pick<Context, "cwd">, written: string): Promise<StoredJob> {
  return (await readJson(written, join(resolve(cwd, written), "config", "job.json"))) as StoredJob
}

async function readJson(written: string, file: string): Promise<unknown> {
  let text: string
  try {
    text = await readRegularFile(file)
  } catch (error) {
    const cause = localFailure(error, "read", file)
    const message = `'${printable(written)}' holds no results: ${cause instanceof Error ? cause.message : String(cause)}`
    throw new AssayError("bad_usage", message, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AssayError("bad_usage", `'${printable(file)}' is not JSON: fetch the results again.`, { cause })
  }
}
