import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, openSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { engineRuns } from "@assay/executors"
import type { OpenedEvaluationFile } from "@assay/local"
import type { EngineRequest, EngineRun, ExecutorProfile, ShardPlan } from "./engine-types.ts"
import { createProgressReporter, describeIds, formatCount, type ProgressReporter } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { AssayError, messageOf } from "@assay/schemas/errors"
import { createFolder } from "@assay/storage"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import { writeText } from "../../../output/write-text.ts"
import { type AgainstOptions, againstFolder } from "../../baseline/compare-with-baseline.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import type { SummaryOption } from "../../summary/write-summary.ts"
import { runWord, shownPath, shownRun, STOP_EARLY_AGAINST } from "../run-end.ts"
import type { JobRunOptions } from "../run-jobs.ts"
import { cutFile } from "../shards/cut-file.ts"
import { checkPaces } from "../shards/run-pace.ts"
import type { EngineOptions } from "./engine-options.ts"
import { followEngine } from "./follow-engine.ts"
import { openEngines } from "./open-engines.ts"
import { locationOfRun, type PlaceOptions, placeRun } from "./place-run.ts"
import { submissionNotes } from "./submission-notes.ts"

interface RunOnEngineOptions
  extends EngineOptions, PlaceOptions, JsonOption, SummaryOption, JobRunOptions, AgainstOptions {
  readonly keyHost?: readonly string[]
  readonly watch?: boolean
}

const DEFAULT_SHARDS = 16
const DEFAULT_RETRIES = 3

/** Runs the job of a file on an engine: cuts it, or continues the run that was cut before, submits its shards, and follows it to its end. */
export async function runOnEngine(
  context: Context,
  file: OpenedEvaluationFile,
  options: RunOnEngineOptions,
): Promise<ExitCode> {
  checkOptions(options)
  const { executor, profile: named, json = false, junit, summary, isInformative, onEnd } = options
  const profile = await engineRuns.profile({ executor, profile: named, cwd: context.cwd, env: context.env })
  const reporter = createProgressReporter(context, { json })
  await checkPaces(context, { isHere: profile.executor === "local", say: (note) => reporter.say(note) })
  await using comparison = await againstFolder(context, options, locationOfRun(context, file, options.out))
  const { store, plan: before } = await placeRun(context, file, options)
  const shown = shownRun(context, store.location)
  if (before !== undefined) sayContinued(reporter, shown, before, options)
  const shards = options.shards ?? profile.shards ?? (profile.executor === "local" ? context.cores : DEFAULT_SHARDS)
  const atOnce = atOnceOf(context, options, profile)
  const plan =
    before ?? (await cutFile(context, store, file, { ...options, shards, atOnce, reporter, showsEstimate: false }))
  const isPlaced = options.out !== undefined || file.content.output !== undefined
  for (const note of submissionNotes(plan, { executor: profile.executor, shown, isPlaced })) reporter.say(note)
  const run = openEngines(context, store)
  const request = requestOf(run, plan, { options, profile, atOnce })
  if (options.render === true) return await renderRun(context, run, request, { reporter, shown })
  if (options.detach === true) return await detach(context, run, request, { json, plan, shown })
  // Awaited, because the comparison is closed when this function returns.
  return await followEngine(context, run, {
    plan,
    request,
    cancels: true,
    json,
    junit,
    summary,
    isInformative,
    onEnd,
    compareEnd: comparison?.compare,
  })
}

function checkOptions(options: RunOnEngineOptions): void {
  const { watch, stopEarly, detach, render, json, junit, summary, against } = options
  const leaves = detach === true ? "--detach" : render === true ? "--render" : undefined
  const ofEnd = Object.entries({ junit, summary, against }).find(([, value]) => value !== undefined)?.[0]
  const refused: readonly (readonly [unknown, string])[] = [
    [watch, "--watch runs in this process: leave out --executor and --profile."],
    [stopEarly === true && against !== undefined, STOP_EARLY_AGAINST],
    [detach === true && render === true, "--detach submits, and --render does not: give one of them."],
    [render === true && json, "--render prints a text: leave out --json."],
    [
      leaves !== undefined && ofEnd !== undefined,
      `--${ofEnd} is about the end of a run, for which ${leaves} does not wait: give it to \`assay eval watch RUN\`.`,
    ],
  ]
  const found = refused.find(([isGiven]) => isGiven === true)
  if (found !== undefined) throw new AssayError("bad_usage", found[1])
}

function atOnceOf({ cores }: Context, options: EngineOptions, profile: ExecutorProfile): number | undefined {
  return options.atOnce ?? profile.atOnce ?? (profile.executor === "local" ? cores : undefined)
}

function sayContinued(reporter: ProgressReporter, shown: string, plan: ShardPlan, { shards }: EngineOptions): void {
  const count = plan.shards.length
  const other = shards === undefined || shards === count ? "" : ` of ${formatCount(count, "shard")}, as it was cut`
  reporter.say(`continuing ${printable(shown)}${other}; only shards without rows are submitted`)
}

interface RequestParts {
  readonly options: RunOnEngineOptions
  readonly profile: ExecutorProfile
  readonly atOnce: number | undefined
}

function requestOf({ ports }: EngineRun, plan: ShardPlan, { options, profile, atOnce }: RequestParts): EngineRequest {
  const { executor, name, values, program = ports.program } = profile
  return {
    executor,
    profile: { ...(name === undefined ? {} : { name }), values },
    program,
    options: ports.options,
    at_once: atOnce ?? plan.at_once,
    // A missing answer is missing again.
    retries: plan.recording?.is_replay_only === true ? 0 : (options.retries ?? profile.retries ?? DEFAULT_RETRIES),
    merges: options.detach === true,
  }
}

interface RenderOptions {
  readonly reporter: ProgressReporter
  readonly shown: string
}

/** Prints what would be submitted. The job is cut, so that the user can submit the text as it is. */
async function renderRun(
  context: Context,
  run: EngineRun,
  request: EngineRequest,
  { reporter, shown }: RenderOptions,
): Promise<ExitCode> {
  await writeText(context.stdout, await engineRuns.render(run, request, context.signal))
  reporter.say(`the job is cut into ${printable(shown)}, and nothing was submitted`)
  return EXIT.done
}

interface DetachOptions {
  readonly json: boolean
  readonly plan: ShardPlan
  readonly shown: string
}

/** Submits, prints how to follow, and returns. Processes of this machine get a process that follows them in the background. */
async function detach(
  context: Context,
  run: EngineRun,
  request: EngineRequest,
  { json, plan, shown }: DetachOptions,
): Promise<ExitCode> {
  const { isTied = false } = await run.executorOf(request)
  const submission = await engineRuns.submit(run, request, { signal: context.signal, isPrepared: isTied })
  const follower = isTied && submission !== undefined ? await startFollower(context, run) : undefined
  const ids = submission?.given?.ids ?? []
  const submitted = {
    run: shown,
    id: plan.id,
    executor: request.executor,
    shards: submission?.indexes.length ?? 0,
    ids,
    ...follower,
  }
  await print(context, { json }, submitted, () => {
    const what =
      submission === undefined
        ? `nothing to submit: the shards of ${printable(shown)} are done or executed already`
        : `${formatCount(submission.indexes.length, "shard")} of ${printable(shown)} submitted to ${request.executor}${describeWork(context, ids, follower)}`
    return [
      what,
      "",
      ...["watch", "status", "cancel"].map((verb) => `assay eval ${verb} ${runWord(context, run.store)}`),
      "",
    ].join("\n")
  })
  return EXIT.done
}

function describeWork(context: Context, ids: readonly string[], follower: StartedFollower | undefined): string {
  if (follower !== undefined) return ` (process ${follower.pid}, which writes to ${shownPath(context, follower.log)})`
  return ids.length === 0 ? "" : ` (${describeIds(ids)})`
}

interface StartedFollower {
  readonly pid: number
  /** Absolute path of the file with its output. */
  readonly log: string
}

/**
 * Starts a process that follows a run when this one has ended. Its output is `logs/follower.log` of a run in a folder.
 * @throws `executor_failed` if its program does not start
 */
async function startFollower(context: Context, { store, ports }: EngineRun): Promise<StartedFollower> {
  const folder =
    store.folder === undefined ? mkdtempSync(join(tmpdir(), "assay-follower-")) : join(store.folder, "logs")
  await createFolder(folder, { durable: false })
  const log = join(folder, "follower.log")
  const file = openSync(log, "a")
  const [program = "", ...args] = ports.program
  const env = Object.fromEntries(Object.entries(context.env).filter(([, value]) => value !== undefined))
  const child = spawn(program, [...args, "eval", "watch", store.location], {
    cwd: context.cwd,
    env,
    stdio: ["ignore", file, file],
    detached: true,
  })
  child.unref()
  await once(child, "spawn").catch((cause: unknown) => {
    const message = `The process that follows the run was not started: ${printable(messageOf(cause))}`
    throw new AssayError("executor_failed", message, { cause })
  })
  return { pid: child.pid ?? 0, log }
}
