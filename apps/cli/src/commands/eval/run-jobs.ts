import { join, parse } from "node:path"
import type { OpenedEvaluationFile } from "@assay/jobs"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { writeText } from "../../output/write-text.ts"
import type { AgainstOptions } from "../baseline/compare-with-baseline.ts"
import type { RunOnServerOptions } from "./run-on-server.ts"

/** What differs between the jobs of one file. */
export interface JobRunOptions extends Pick<RunOnServerOptions, "onEnd" | "isInformative"> {
  readonly against?: string
  readonly junit?: string
}

interface GivenOptions extends AgainstOptions {
  readonly junit?: string
  readonly json?: boolean
}

type RunJob<Options> = (file: OpenedEvaluationFile, options: Options & JobRunOptions) => Promise<ExitCode>

/**
 * Runs the jobs of a file one after the other. Each is compared with the first, unless the user names another one. Which model or prompt is better
 * is no failure, so only gates and failed jobs count for the exit code: 1 if one fails, then 3 if one can't be decided.
 * @throws `bad_usage` for `--accept` with several jobs
 */
export async function runJobs<Options extends GivenOptions>(
  context: Context,
  files: readonly OpenedEvaluationFile[],
  options: Options,
  run: RunJob<Options>,
): Promise<ExitCode> {
  const [only, other] = files
  if (only !== undefined && other === undefined) return run(only, options)
  if (options.accept === true) {
    throw new AssayError(
      "bad_usage",
      "--accept takes one job, and the file describes several: keep one model and one prompt.",
    )
  }
  const codes = new Set<ExitCode>()
  let first: string | undefined
  for (const file of files) {
    const { label = "", cell } = file
    if (options.json !== true)
      await writeText(context.stderr, `\n${printable(label)} (${cell + 1} of ${files.length})\n`)
    const against = options.against ?? first
    const junit = options.junit === undefined ? {} : { junit: fileOfJob(options.junit, file) }
    const code = await run(file, {
      ...options,
      ...junit,
      ...(against === undefined ? {} : { against }),
      isInformative: options.against === undefined,
      onEnd: (job) => {
        first ??= job
      },
    })
    codes.add(code)
    if (context.signal.aborted) return code
  }
  return [EXIT.no, EXIT.inconclusive].find((one) => codes.has(one)) ?? EXIT.done
}

/** Returns the folder for the results of a job: one of several has its own below `folder`. */
export function folderOfJob(folder: string, { label }: OpenedEvaluationFile): string {
  return label === undefined ? folder : join(folder, nameOf(label))
}

/** Returns `junit-LABEL.xml` for `junit.xml`. */
function fileOfJob(file: string, { label }: OpenedEvaluationFile): string {
  const { dir, name, ext } = parse(file)
  return label === undefined ? file : join(dir, `${name}-${nameOf(label)}${ext}`)
}

function nameOf(label: string): string {
  return label.replaceAll(/[^\w.@+-]+/g, "-").replace(/^\.+/, "") || "job"
}
