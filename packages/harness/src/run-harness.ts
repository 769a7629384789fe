import { basename } from "node:path"
import { AssayError, isAssayError } from "@assay/schemas"
import { endLeftHarness, openAttempt, writeAttemptRecord } from "./harness-attempts.ts"
import { readHarnessConfig } from "./harness-config.ts"
import type { HarnessFindings, HarnessJob, HarnessLogLine, HarnessPorts } from "./harness-ports.ts"
import { createHarnessLog } from "./harness-log.ts"
import { joinLimits, watchLimits } from "./limits/harness-limits.ts"
import { prepareHarness } from "./prepare-harness.ts"
import { readHarnessResults, type HarnessScores } from "./read-harness-results.ts"
import { runCommand, type CommandEnd } from "./run-command.ts"

export interface HarnessOptions {
  /** Ends the command and every process that it started. */
  readonly signal: AbortSignal
  /** Called for each line that the harness writes, without secrets. */
  readonly onLog: (line: HarnessLogLine) => void
  /** Gets the same lines, and the failure of the harness. */
  readonly findings: HarnessFindings
}

/** How a harness ended, with the scores that it wrote. */
export interface HarnessOutcome {
  readonly end:
    | { readonly kind: "finished" }
    | { readonly kind: "failed"; readonly code: string; readonly message: string }
    | { readonly kind: "aborted" }
  /** Empty unless it finished. */
  readonly scores: HarnessScores
}

/**
 * Runs the harness of a `benchmark` in its own folder, `harness/<attempt>/work` below the work folder, and reads the scores that it
 * writes there. First ends what earlier attempts left running. If the command fails, the outcome has the code `harness_failed` and the
 * conditions that were found in the log. A harness can't be resumed: another attempt runs it from the start.
 * @throws before the command is started: `harness_not_allowed`, `invalid_request`, `template_error`, `secret_not_readable`
 */
export async function runHarness(
  job: HarnessJob,
  environment: HarnessPorts,
  { signal, onLog, findings }: HarnessOptions,
): Promise<HarnessOutcome> {
  const harness = readHarnessConfig(job.config)
  const run = environment.newId("harness")
  const folder = await openAttempt(environment.workFolder, run)
  await using prepared = await prepareHarness(harness, job, { environment, folder, run })
  const { program, command, variables, secrets, work, folders } = prepared
  const limits = joinLimits(harness.limits, environment.harnessLimits)
  const log = createHarnessLog({ secrets, onLog, findings })
  onLog({ level: "info", message: prepared.description })
  const started = environment.inference.now()
  const end = await runCommand({
    command,
    folder: work,
    variables,
    handed: prepared.handed,
    timeLimitMs: harness.timeLimitMs,
    signal,
    onLine: (line) => log.add(line),
    watch: (leader, onOver) => watchLimits(leader, { limits, folders, now: environment.inference.now, onOver }),
    onStarted: (pid) => writeAttemptRecord(folder, run, pid),
  })
  // A sandbox ends with all of its processes. Without one, a process may have left the group.
  if (environment.harnessSandbox === undefined) await endLeftHarness({ run, leader: null })
  if (end.kind === "aborted") return { end: { kind: "aborted" }, scores: {} }
  try {
    checkEnd(end, basename(program), { ...harness, isSandboxed: environment.harnessSandbox !== undefined })
    const scores = await readHarnessResults(work, harness.results)
    onLog({
      level: "info",
      message: `harness: ended after ${Math.round((environment.inference.now() - started) / 1000)} s`,
    })
    return { end: { kind: "finished" }, scores }
  } catch (error) {
    if (!isAssayError(error, "harness_failed")) throw error
    onLog({ level: "error", message: error.message })
    findings.addError(error, { evidence: log.last() })
    return { end: { kind: "failed", code: error.code, message: error.message }, scores: {} }
  }
}

interface EndContext {
  readonly timeLimitMs: number
  readonly isSandboxed: boolean
}

/** Exit codes of shells and sandboxes: 126 if the program can't be run, 127 if it does not exist, 128 + n for signal n. */
const NOT_RUNNABLE = 126
const NOT_FOUND = 127
const SIGKILL = 137

/** Checks that the command exited by itself with code 0. @throws `harness_failed` */
function checkEnd(end: CommandEnd, program: string, { timeLimitMs, isSandboxed }: EndContext): void {
  switch (end.kind) {
    case "exited":
      if (end.code === 0) return
      throw failed(`The harness '${program}' ended with exit code ${end.code}; ${adviceOf(end.code, isSandboxed)}`)
    case "killed":
      throw failed(
        `The harness '${program}' was ended by ${end.by}; look at the memory of the machine and at the last lines of the log`,
      )
    case "too-slow":
      throw failed(`The harness '${program}' did not end within ${timeLimitMs / 1000} s; raise harness.time_limit`)
    case "over-limit":
      throw failed(
        `The harness '${program}' was ended: ${end.what}; make it use less, or raise the limit (ASSAY_HARNESS_LIMITS sets that of the operator)`,
      )
    case "not-started":
      throw failed(`The harness '${program}' could not be started: ${end.reason}; install it there, or write its path`)
    case "aborted":
    default:
  }
}

function adviceOf(code: number, isSandboxed: boolean): string {
  if (!isSandboxed) return "the last lines of the log say why"
  if (code === NOT_FOUND || code === NOT_RUNNABLE) {
    return "a program does not exist: a sandbox has only the folders of the system and those of ASSAY_HARNESS_FOLDERS"
  }
  if (code === SIGKILL) return "it was killed; look at the memory of the machine and at the last lines of the log"
  return "the last lines of the log say why; in a sandbox it has no network except its target and writes only to its own folder"
}

function failed(what: string): AssayError {
  return new AssayError("harness_failed", `${what}.`)
}
