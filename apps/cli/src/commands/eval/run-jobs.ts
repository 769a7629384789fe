import { join, resolve } from "node:path"
import type { OpenedEvaluationFile } from "@assay/local"
import { scoreInterval } from "@assay/reports"
import { formatScore, formatTable, type Layout, toneOf } from "@assay/reports/terminal"
import { resultScores } from "@assay/results"
import { isLocalPath, printable, type Score } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { writeText } from "../../output/write-text.ts"
import type { AgainstOptions } from "../baseline/compare-with-baseline.ts"
import { print } from "../print.ts"
import { isOnStdout, type SummaryOption } from "../summary/write-summary.ts"
import { openJobReports } from "./job-reports.ts"
import { type JobResults, openJobResults } from "./print-jobs.ts"
import { isBucket, type JobEnd } from "./run-end.ts"
import type { RunOnServerOptions } from "./run-on-server.ts"

/** The options that differ between the jobs of one file. */
export interface JobRunOptions extends Pick<RunOnServerOptions, "onEnd" | "isInformative"> {
  readonly against?: string
  readonly junit?: string
  readonly names?: readonly [before: string, run: string]
}

interface GivenOptions extends AgainstOptions, SummaryOption {
  readonly junit?: string
}

type RunJob<Options> = (
  context: Context,
  file: OpenedEvaluationFile,
  options: Options & JobRunOptions,
) => Promise<ExitCode>

/**
 * Runs the jobs of a file one after the other. Each is compared with the first, unless the user names another one. A better model
 * or prompt is not a failure, so the comparisons do not count for the exit code. It is 1 if a gate or a job fails, else 3 if a gate can't be decided.
 * @throws `bad_usage` for `--accept` with several jobs
 */
export async function runJobs<Options extends GivenOptions>(
  context: Context,
  files: readonly OpenedEvaluationFile[],
  options: Options,
  run: RunJob<Options>,
): Promise<ExitCode> {
  const [only, other] = files
  if (only !== undefined && other === undefined) return run(context, only, options)
  if (options.accept === true) {
    throw new AssayError(
      "bad_usage",
      "--accept takes one job, and the file describes several: keep one model and one prompt.",
    )
  }
  const results = openJobResults(context, files, options)
  try {
    return await runEach(context, files, options, { run, contextOf: results.contextOf })
  } finally {
    // Results of jobs before one that is refused or interrupted are printed, too.
    await results.print()
  }
}

interface JobRunner<Options> extends Pick<JobResults, "contextOf"> {
  readonly run: RunJob<Options>
}

async function runEach<Options extends GivenOptions>(
  context: Context,
  files: readonly OpenedEvaluationFile[],
  options: Options,
  { run, contextOf }: JobRunner<Options>,
): Promise<ExitCode> {
  const codes = new Set<ExitCode>()
  const ends: LabelledEnd[] = []
  const reportsOf = openJobReports(context, options)
  for (const file of files) {
    const { label = "", cell } = file
    if (options.json !== true)
      await writeText(context.stderr, `\n${printable(label)} (${cell + 1} of ${files.length})\n`)
    const first = ends[0]
    // Only results of this machine, and of a server, are compared.
    const before = options.against !== undefined || first === undefined || isBucket(first.job) ? undefined : first
    const code = await run(reportsOf(contextOf(file), file), file, {
      ...options,
      ...(before === undefined ? {} : { against: before.job, names: [before.label, label] as const }),
      isInformative: options.against === undefined,
      onEnd: (end) => void ends.push({ ...end, label }),
    })
    codes.add(code)
    if (context.signal.aborted) return code
  }
  // Jobs that were only submitted or rendered have no end.
  if (ends.length > 0 && options.json !== true && !isOnStdout(options)) await print(context, options, ends, formatEnds)
  return [EXIT.no, EXIT.inconclusive].find((one) => codes.has(one)) ?? EXIT.done
}

type LabelledEnd = JobEnd & { readonly label: string }

/** Scores that fit beside each other. */
const SHOWN = 4

/** Formats the jobs of a file under each other: their verdicts, their first scores with intervals, and how each compares. */
function formatEnds(ends: readonly LabelledEnd[], layout: Layout): string {
  const scores = ends.map(({ result }) => new Map(listed(result).map(({ name, found }) => [name, found])))
  const names = [...new Set(scores.flatMap((one) => [...one.keys()]))].slice(0, SHOWN)
  const rows = ends.map((end, at) => ({ ...end, found: scores[at] }))
  type Row = (typeof rows)[number]
  const verdict = {
    heading: "VERDICT",
    value: ({ judged }: Row) => judged ?? "–",
    tone: ({ judged }: Row) => toneOf(judged ?? ""),
  }
  return `\n${formatTable(
    rows,
    [
      { heading: "JOB", value: ({ label }) => label },
      ...(ends.some(({ judged }) => judged !== null) ? [verdict] : []),
      ...names.map((name) => ({ heading: name, value: ({ found }: Row) => valueOf(found?.get(name)) })),
      { heading: "COMPARED", value: ({ verdict: compared }) => compared ?? "" },
    ],
    layout,
  )}`
}

function valueOf(found: Score | undefined): string {
  const interval = found === undefined ? null : scoreInterval(found)
  const range = interval ? ` (${formatScore(interval.low)} to ${formatScore(interval.high)})` : ""
  return `${formatScore(found?.value ?? "NaN")}${range}`
}

function listed(result: JobEnd["result"]): ReturnType<typeof resultScores.list> {
  return result === null ? [] : resultScores.list(result)
}

/**
 * Returns where the results of a job go, as --out or the file says it: a bucket, or the absolute path of a folder. One of several jobs has a location of its
 * own below it. Undefined: nothing is said, or a location on a server.
 */
export function locationOfJob({ cwd }: Context, file: OpenedEvaluationFile, out?: string): string | undefined {
  const { folder, label, content } = file
  const written = out ?? content.output
  if (written === undefined || (out === undefined && !isBucket(written) && !isLocalPath(written))) return undefined
  const own = label === undefined ? "" : nameOf(label)
  if (isBucket(written)) return own === "" ? written : `${written.replace(/\/+$/, "")}/${own}`
  return join(resolve(out === undefined ? folder : cwd, written), own)
}

function nameOf(label: string): string {
  return label.replaceAll(/[^\w.@+-]+/g, "-").replace(/^\.+/, "") || "job"
}
