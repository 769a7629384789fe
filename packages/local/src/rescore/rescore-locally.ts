import { hash } from "node:crypto"
import { dirname, join } from "node:path"
import { type EvaluationConfigBody, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { rescoring } from "@assay/evaluation"
import type { ScoreGate } from "@assay/results"
import { createLocalEnvironment, type LocalPorts } from "../local-environment.ts"
import { readResultsFolder, readStoredJob, type ResultsFolder } from "../runs/results-folder.ts"
import { type AttemptListener, type AttemptResult, runLocalAttempt } from "../run-local-attempt.ts"
import { findRunFolder, prepareRunFolder } from "../runs/run-folder.ts"
import { readRunRecord } from "../runs/run-record.ts"
import { checkRescoredMetrics, rescoredJob, type OutputsSource, openStoredRows, unansweredOf } from "@assay/attempts"

export interface RescoreOptions {
  /** Absolute path of the folder with the results whose outputs are scored. */
  readonly source: string
  /** The source as the user wrote it. */
  readonly name: string
  /** The configuration whose metrics score them. */
  readonly config: EvaluationConfigBody
  readonly gates: readonly ScoreGate[]
  /** Absolute path of the file of the configuration. Null for stdin. */
  readonly file: string | null
  /** Absolute path of the folder that local paths of the configuration are relative to. */
  readonly folder: string
  /** Absolute path for the results. */
  readonly out: string
  /** Replace the results of another job in `out`. */
  readonly overwrite: boolean
  readonly listener: AttemptListener
  readonly signal: AbortSignal
}

/** The end of a rescoring. */
export type RescoreResult =
  | { readonly kind: "scored"; readonly from: string; readonly attempt: AttemptResult }
  /** An earlier command has computed the same results. */
  | { readonly kind: "done"; readonly from: string; readonly results: ResultsFolder }

/**
 * Computes the scores of stored outputs again, and writes the results to a folder. The target is not asked. A command that was interrupted is continued, and
 * results that exist already are left.
 * @throws `bad_document` without results, `invalid_request` if the configuration does not fit them, `path_conflict` and `output_exists` as a run
 */
export async function rescoreLocally(ports: LocalPorts, options: RescoreOptions): Promise<RescoreResult> {
  const { source, name, config, gates, out, folder, overwrite, listener, signal } = options
  const stored = await readStoredJob(source, name)
  const { id: from, namespace, target } = stored
  const { subject, taskOf } = rescoredJob({ namespace, target, config: stored.config }, config)
  checkRescoredMetrics(subject)
  if (out === source) {
    const message = `'${printable(name)}' has the outputs, and its results would be replaced: choose another folder.`
    throw new AssayError("path_conflict", message)
  }
  await using rows = await openStoredRows(join(source, "results", "rows.jsonl"))
  // Another version of this product can have another version of a metric.
  const { assay: version } = ports.programs
  const digest = hash(
    "sha256",
    JSON.stringify({ from, target, config: subject.config, gates, bytes: rows.size, version }),
  )
  const before = await readRunRecord(out)
  if (before?.digest === digest && before.status !== "RUNNING" && !overwrite)
    return { kind: "done", from, results: await readResultsFolder(out, out) }
  const placing = { out, dataFolder: dirname(out), name: "rescored", digest, fresh: false, overwrite, ports }
  const found = await prepareRunFolder(await findRunFolder(placing), placing)
  const environment = createLocalEnvironment(
    ports,
    { folder, dataFolder: placing.dataFolder, digests: new Map() },
    namespace,
    join(found.folder, "work"),
  )
  const record = found.before ?? {
    id: environment.newId("eval"),
    digest,
    attempt: 1,
    file: options.file,
    overrides: {},
    rescored_from: from,
    created_at: ports.now(),
  }
  const outputs: OutputsSource = {
    id: from,
    async open(job, own, ending) {
      const plan = await rescoring.plan(job, own, { outputs: { rows, taskOf }, signal: ending })
      // The outputs are those of the rows that the other job has read.
      return { plan: { ...plan, pins: stored.pins }, faultOf: (processed) => unansweredOf(stored, processed) }
    },
  }
  const attempt = await runLocalAttempt(ports, {
    folder: found.folder,
    job: subject,
    record: { ...record, status: "RUNNING", pid: ports.pid },
    scope: { kind: "run" },
    isResumed: found.before !== undefined,
    environment,
    gates,
    listener,
    source: outputs,
    signal,
  })
  return { kind: "scored", from, attempt }
}
