import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { readPrices } from "@assay/evaluation"
import { jobOfFile, localRuns } from "@assay/local"
import { createProgressReporter, formatCount } from "@assay/reports/terminal"
import { judgeDoctor } from "@assay/results"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { defaultWorkspace } from "../../../open-client.ts"
import type { JsonOption } from "../../action.ts"
import { withKeyHosts } from "../../guard/inference-key.ts"
import type { LabelOptions } from "../../label/open-labels.ts"
import { print } from "../../print.ts"
import { withTelemetry } from "../../with-telemetry.ts"
import { pricesFileOf } from "../prices-file.ts"
import { localPorts } from "../run-here.ts"
import { type Examined, formatExamined } from "./format-examined.ts"
import { type JudgedJob, openJudgedJob } from "./open-judged-job.ts"
import { readEvaluation } from "../file/read-evaluation.ts"

type AskPlan = Parameters<Parameters<typeof localRuns.askedJudges.ask>[1]["onPlan"]>[0]

export interface DoctorJudgesOptions extends JsonOption, LabelOptions {
  readonly metric?: string
  readonly ask?: number
  readonly swap?: readonly [string, string]
  readonly rows: number
  readonly with?: string
  readonly keyHost?: readonly string[]
  readonly dataDir: string
}

/** Runs `assay eval doctor <job or folder…>`: says whether the judges of finished jobs are any good, and what they do to the conclusions. */
export async function doctorJudges(
  given: Context,
  names: readonly string[],
  options: DoctorJudgesOptions,
): Promise<void> {
  const context = withKeyHosts(given, options.keyHost)
  const downloads = await mkdtemp(join(tmpdir(), "assay-doctor-"))
  try {
    const kept = join(resolve(context.cwd, options.dataDir), "doctor")
    const jobs: Examined["jobs"][number][] = []
    const plans: AskPlan[] = []
    for (const name of names) {
      await using opened = await openJudgedJob(context, name, { ...options, downloads, kept })
      if (options.ask !== undefined) plans.push(await askAgain(context, opened, options, options.ask))
      jobs.push(await examine(opened, options, context.signal))
    }
    const scores = jobs.flatMap((job) => job.scores)
    const examined: Examined = {
      jobs,
      self_preference: judgeDoctor.selfPreferences(scores),
      comparisons: judgeDoctor.comparisons(scores),
      asked: plans.length === 0 ? null : { calls: plans.reduce((sum, { calls }) => sum + calls, 0) },
    }
    await print(context, options, { object: "judge_doctor", ...examined }, (_, layout) =>
      formatExamined(examined, layout),
    )
  } finally {
    await rm(downloads, { recursive: true, force: true })
  }
}

async function examine(
  { id, job, answers }: JudgedJob,
  { metric }: DoctorJudgesOptions,
  signal: AbortSignal,
): Promise<Examined["jobs"][number]> {
  const asked = await localRuns.askedJudges.kept(answers)
  const swapped = await localRuns.askedJudges.keptSwapped(answers)
  const scores = await judgeDoctor.examine({ ...job, asked, swapped }, signal)
  const judged = judgeDoctor.scores(job.config, job.result)
  const isWanted = (one: ScoreNames) => metric === undefined || namesOf(one).includes(metric)
  const wanted = scores.filter(isWanted)
  const isScored = ({ name }: ScoreNames) => scores.some((one) => one.name === name)
  const unscored = judged.filter((one) => !isScored(one) && isWanted(one)).map(({ name }) => name)
  if (wanted.length + unscored.length > 0 || metric === undefined)
    return { id, name: job.name, scores: wanted, unscored }
  const known = judged.map(({ name }) => printable(name)).join(", ") || "none"
  const message = `'${printable(metric)}' is not a score that a model gives in '${printable(job.name)}'; these are: ${known}.`
  throw new AssayError("bad_usage", message)
}

type ScoreNames = Pick<Examined["jobs"][number]["scores"][number], "metric" | "score" | "name">

function namesOf({ metric, score, name }: ScoreNames): readonly string[] {
  return [metric, `${metric}.${score}`, name]
}

/** Asks the judges of a job again, and returns what was asked. */
async function askAgain(
  context: Context,
  { job, folder, answers }: JudgedJob,
  options: DoctorJudgesOptions,
  times: number,
): Promise<AskPlan> {
  context.keepHeapSmall()
  const reporter = createProgressReporter(context, options)
  const file = options.with === undefined ? undefined : (await readEvaluation(context, options.with))[0]
  const prices = await readPrices(pricesFileOf(context, undefined), context.cwd)
  let plan: AskPlan = { rows: 0, times, calls: 0, models: [] }
  await withTelemetry(context, (telemetry) =>
    localRuns.askedJudges.ask(localPorts(context, { telemetry, prices }), {
      source: folder,
      name: job.name,
      config: file && jobOfFile(file, { workspace: defaultWorkspace(context), overrides: {} }).config,
      folder: file?.folder ?? context.cwd,
      times,
      swap: options.swap,
      rows: options.rows,
      out: answers,
      listener: {
        onProgress: (progress) => reporter.show(progress),
        onLog: () => {},
        onRowsDone: () => reporter.end(),
      },
      onPlan(found) {
        plan = found
        const models = found.models.map((model) => printable(model)).join(", ")
        reporter.say(
          `asks ${models} up to ${formatCount(found.calls, "time")}, about ${formatCount(found.rows, "row")}; what an earlier command asked is not asked again`,
        )
      },
      signal: context.signal,
    }),
  )
  return plan
}
