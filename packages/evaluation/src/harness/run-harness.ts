import { mkdir, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { AssayError, isAssayError } from "@assay/schemas"
import type { ConditionFinder } from "../conditions/create-condition-finder.ts"
import type { PlanOutcome } from "../engine/plan-outcome.ts"
import type { JobLogLine } from "../jobs/job-progress.ts"
import type { RunnableJob } from "../jobs/runnable-job.ts"
import { harnessEnvironment, type HarnessWorld } from "./harness-environment.ts"
import { createHarnessLog } from "./harness-log.ts"
import { harnessOutcome } from "./harness-outcome.ts"
import { readHarnessConfig } from "./read-harness-config.ts"
import { readHarnessResults } from "./read-harness-results.ts"
import { renderCommand } from "./render-command.ts"
import { runCommand, type CommandEnd } from "./run-command.ts"

export interface HarnessOptions {
  /** Ends the command, and all that it started. */
  readonly signal: AbortSignal
  /** Told of each line that it writes, without secrets. */
  readonly onLog: (line: JobLogLine) => void
  /** Told of the same lines, and of how it failed. */
  readonly conditions: Pick<ConditionFinder, "addLogLine" | "addError">
}

/**
 * Runs the harness of a `benchmark` in `harness` below the work folder, and reads the scores that it writes. A command that
 * fails is an outcome with `harness_failed`, and the conditions in its log are found; nothing of it is resumed, so another
 * round runs it anew.
 * @throws before it is started: `harness_not_allowed`, `invalid_request`, `template_error`, `secret_not_readable`
 */
export async function runHarness(
  { target, config }: Pick<RunnableJob, "target" | "config">,
  world: HarnessWorld,
  { signal, onLog, conditions }: HarnessOptions,
): Promise<PlanOutcome> {
  const harness = readHarnessConfig(config)
  const { variables, secrets } = await harnessEnvironment(harness, target, world)
  const command = renderCommand(harness, { target, config })
  const folder = join(world.workFolder, "harness")
  const results = join(folder, harness.results)
  await mkdir(dirname(results), { recursive: true })
  // Of an earlier round: its scores must not be taken for those of this one.
  await rm(results, { force: true })
  const log = createHarnessLog({ secrets, onLog, conditions })
  onLog({ level: "info", message: `harness: starts '${basename(command[0])}' with ${command.length - 1} arguments` })
  const started = world.now()
  const end = await runCommand({
    command,
    folder,
    variables,
    timeLimitMs: harness.timeLimitMs,
    signal,
    onLine: (line) => log.add(line),
  })
  if (end.kind === "aborted") return harnessOutcome({ kind: "aborted" })
  try {
    checkEnd(end, basename(command[0]), harness.timeLimitMs)
    const scores = await readHarnessResults(results, harness.results)
    onLog({ level: "info", message: `harness: ended after ${Math.round((world.now() - started) / 1000)} s` })
    return harnessOutcome({ kind: "finished" }, scores)
  } catch (error) {
    if (!isAssayError(error, "harness_failed")) throw error
    onLog({ level: "error", message: error.message })
    conditions.addError(error, { evidence: log.last() })
    return harnessOutcome({ kind: "failed", code: error.code, message: error.message })
  }
}

/** @throws `harness_failed` unless it ended by itself and well */
function checkEnd(end: CommandEnd, program: string, timeLimitMs: number): void {
  switch (end.kind) {
    case "exited":
      if (end.code === 0) return
      throw failed(`The harness '${program}' ended with exit code ${end.code}; its last lines tell why`)
    case "killed":
      throw failed(
        `The harness '${program}' was ended by ${end.by}; look at the memory of the machine, and at its last lines`,
      )
    case "too-slow":
      throw failed(`The harness '${program}' did not end within ${timeLimitMs / 1000} s; raise harness.time_limit`)
    case "not-started":
      throw failed(`The harness '${program}' could not be started: ${end.reason}; install it there, or write its path`)
    case "aborted":
    default:
  }
}

function failed(what: string): AssayError {
  return new AssayError("harness_failed", `${what}.`)
}
