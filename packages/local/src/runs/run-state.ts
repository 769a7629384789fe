import { programFiles } from "@assay/evaluation"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { LaunchSubject } from "@assay/attempts"
import { digestRun } from "./digest-run.ts"
import { createLocalEnvironment, type LocalPorts } from "../local-environment.ts"
import { findRunFolder } from "./run-folder.ts"
import { type RunRecord, readRunRecord } from "./run-record.ts"

export interface StateOfRunOptions {
  readonly job: LaunchSubject
  /** Absolute path of the folder that local paths are relative to. */
  readonly folder: string
  /** Absolute path of the folder for all runs. */
  readonly dataFolder: string
  /** Absolute path of the results. */
  readonly out: string
  /** Whether results of another job would be replaced. */
  readonly overwrite: boolean
  readonly signal: AbortSignal
}

/** The state of a job in a folder: nothing, its results, or an attempt that failed. An interrupted attempt counts as nothing, because a run continues it. */
export type StateOfRun =
  | { readonly kind: "missing" }
  | { readonly kind: "completed" }
  | { readonly kind: "failed"; readonly record: RunRecord }

/**
 * Returns what a folder has of a job. Results without the record of a run were downloaded, and are believed to be those of the job.
 * @throws `output_exists` if the folder has the results or answers of another job, and `path_conflict` if another process uses it
 */
export async function stateOfRun(ports: LocalPorts, options: StateOfRunOptions): Promise<StateOfRun> {
  const { folder, dataFolder, out, overwrite, signal } = options
  if (overwrite) return { kind: "missing" }
  const record = await readRunRecord(out)
  if (record === undefined && existsSync(join(out, "config", "job.json"))) return { kind: "completed" }
  const job = await programFiles.withSource(options.job, ports.filesets, signal)
  const environment = createLocalEnvironment(
    ports,
    { folder, dataFolder, digests: new Map() },
    job.namespace,
    dataFolder,
  )
  const digest = await digestRun(job, environment, signal)
  await findRunFolder({ out, dataFolder, name: "", digest, fresh: false, overwrite: false, ports })
  if (record === undefined || record.digest !== digest || record.status === "RUNNING") return { kind: "missing" }
  return record.status === "COMPLETED" ? { kind: "completed" } : { kind: "failed", record }
}
