import { basename, dirname, join, resolve } from "node:path"
import process from "node:process"
import type { JobScope } from "@assay/evaluation"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import { printable } from "../../../output/printable.ts"
import type { JsonOption } from "../../action.ts"
import { readEvaluationFile } from "../file/read-evaluation-file.ts"
import { createProgressTeller } from "../screen/progress-teller.ts"
import { createLocalEnvironment } from "./create-local-environment.ts"
import { digestRun } from "./digest-run.ts"
import { localJob } from "./local-job.ts"
import { parseGate } from "./parse-gate.ts"
import { readRunRecord, type RunRecord } from "./run-record.ts"
import { runRound } from "./run-round.ts"

/**
 * Goes on with the run of a folder: asks what has no answer yet, or the rows that failed.
 * @throws `bad_usage` where the folder holds no run, or its file or rows are not what they were
 */
export async function runAgain(
  context: Context,
  written: string,
  what: "resume" | "retry-failed",
  options: JsonOption,
): Promise<ExitCode> {
  const folder = resolve(context.cwd, written)
  const record = await readRunRecord(folder)
  if (record === undefined) throw noRun(written, "holds no run of 'assay eval run'")
  if (record.file === null) throw noRun(written, "was run from stdin, which is gone: run it again")
  const file = await readEvaluationFile(context, record.file)
  const job = localJob(context, file, overridesOf(record))
  const environment = createLocalEnvironment(context, {
    namespace: job.namespace,
    folder: file.folder,
    dataFolder: dirname(folder),
    workFolder: join(folder, "work"),
    digests: new Map(),
  })
  if ((await digestRun(job, environment, context.signal)) !== record.digest) {
    throw noRun(
      written,
      `was run over other rows or another ${printable(record.file)}: that has changed since, so run it anew`,
    )
  }
  const isRetry = what === "retry-failed"
  const scope: JobScope = { kind: isRetry ? "retry-failed" : "run" }
  return runRound(context, {
    name: basename(folder),
    folder,
    job,
    record: { ...record, status: "RUNNING", pid: process.pid, attempt: record.attempt + (isRetry ? 1 : 0) },
    scope,
    environment,
    gates: (file.content.gates ?? []).map(parseGate),
    junit: undefined,
    json: options.json,
    teller: createProgressTeller(context, options),
  })
}

function overridesOf({ overrides }: RunRecord) {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined))
}

function noRun(written: string, why: string): AssayError {
  return new AssayError("bad_usage", `'${printable(written)}' ${why}.`)
}
