import { engineRuns } from "@assay/executors"
import { cutRuns } from "@assay/local"
import { createProgressReporter, formatCount } from "@assay/reports/terminal"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import { checkReports } from "../../summary/write-summary.ts"
import { againstFolder } from "../../baseline/compare-with-baseline.ts"
import type { JsonOption } from "../../action.ts"
import type { WatchOptions } from "../watch-evaluation.ts"
import { followEngine } from "./follow-engine.ts"
import { print } from "../../print.ts"
import { runWord, shownRun } from "../run-end.ts"
import { openEngines } from "./open-engines.ts"
import type { RunStore } from "../shards/open-run.ts"

/** Runs `assay eval watch <run>` for a run that was cut: follows it to its end, submits shards again that failed, and merges. */
export async function watchRun(
  context: Context,
  store: RunStore,
  options: WatchOptions & { readonly json?: boolean },
): Promise<ExitCode> {
  await checkReports(context, options)
  const { json = false, junit, summary, gate, out, force } = options
  const refused = [gate !== undefined && "--gate", out !== undefined && "--out", force === true && "--force"].find(
    (one) => one !== false,
  )
  if (refused !== undefined) {
    const shown = runWord(context, store)
    const message = `${refused} is for a job of a server: the gates of a run were given when it was cut, and its results are in it. \`assay eval results ${shown} --gate …\` compares others.`
    throw new AssayError("bad_usage", message)
  }
  await using comparison = await againstFolder(context, options, store.location)
  const plan = await cutRuns.plan(store)
  // Awaited, because the comparison is closed when this function returns.
  return await followEngine(context, openEngines(context, store), {
    plan,
    request: undefined,
    cancels: false,
    json,
    junit,
    summary,
    compareEnd: comparison?.compare,
  })
}

export interface ContinueRunOptions extends JsonOption {
  /** Whether failed rows of shards that are done are asked again. */
  readonly retriesFailed: boolean
}

/** Runs `assay eval resume|retry-failed <run>` for a run that was cut: submits missing shards as they were submitted before, and follows them. */
export async function continueRun(
  context: Context,
  store: RunStore,
  { json = false, retriesFailed }: ContinueRunOptions,
): Promise<ExitCode> {
  const plan = await cutRuns.plan(store)
  const run = openEngines(context, store)
  const last = await engineRuns.lastRequest(run, context.signal)
  const reporter = createProgressReporter(context, { json })
  // The failures before would end a run that has failed because of them again at once.
  const hasFailed = (await cutRuns.state(store)).merged?.status === "FAILED"
  if (retriesFailed || hasFailed) {
    const reopened = await cutRuns.reopenFailed(store, context.now)
    const rows = `the failed rows of ${formatCount(reopened.length, "shard")} are asked again`
    if (reopened.length > 0) reporter.say(rows)
    else if (retriesFailed) reporter.say("no shard that is done has failed rows")
  }
  if (last === undefined) return printByHand(context, store, json)
  const { options: own } = run.ports
  const options = own.length === 0 ? last.options : own
  reporter.say(`continuing ${runWord(context, store)}; only shards without rows are submitted`)
  return followEngine(context, run, {
    plan,
    request: { ...last, options },
    cancels: true,
    json,
    junit: undefined,
    summary: undefined,
  })
}

/** Prints which shards of a run without an engine have to be run, and how. */
async function printByHand(context: Context, store: RunStore, json: boolean): Promise<ExitCode> {
  const { shards } = await cutRuns.state(store, context.signal)
  const missing = shards.flatMap(({ index, state }) => (state === "done" ? [] : [index]))
  const word = runWord(context, store)
  const list = missing.length > SHOWN ? `${missing.slice(0, SHOWN).join(", ")}, …` : missing.join(", ")
  const run = { run: shownRun(context, store.location), missing }
  await print(context, { json }, run, () =>
    [
      ...(missing.length === 0 ? [] : [`no engine has this run; shards without rows: ${list}`, ""]),
      ...(missing.length === 0
        ? []
        : [`assay eval shard ${word} --index ${missing[0]}${missing.length === 1 ? "" : "   (and each other one)"}`]),
      `assay eval merge ${word}`,
      "",
    ].join("\n"),
  )
  return EXIT.done
}

/** Shards that are printed. */
const SHOWN = 20
