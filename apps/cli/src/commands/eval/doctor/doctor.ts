import { statSync } from "node:fs"
import { resolve } from "node:path"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import type { DoctorJudgesOptions } from "./doctor-judges.ts"
import type { DoctorResultsOptions } from "./doctor-results.ts"

export type DoctorOptions = DoctorResultsOptions & DoctorJudgesOptions

/** Options about the judges of jobs. */
const ABOUT_JUDGES = ["ask", "swap", "with", "labels", "metric"] as const

/**
 * Runs `assay eval doctor <results…>`. A file of another tool is read by its columns. Folders with results and jobs of a server are examined for what
 * their judges are worth.
 */
export async function doctor(context: Context, names: readonly string[], options: DoctorOptions): Promise<void> {
  const [first = "", ...others] = names
  const files = names.filter((name) => isFile(context, name))
  if (files.length === 0) {
    if (options.out !== undefined || options.force === true)
      throw new AssayError(
        "bad_usage",
        "--out and --force are for a file of another tool; results of jobs are only read.",
      )
    if (options.swap !== undefined && options.ask === undefined)
      throw new AssayError("bad_usage", "--swap asks the judge about the other order: add --ask.")
    const { doctorJudges } = await import("./doctor-judges.ts")
    return doctorJudges(context, names, options)
  }
  if (others.length > 0) {
    const message = `'${printable(files[0] ?? "")}' is a file: give one file of another tool, or folders and jobs.`
    throw new AssayError("bad_usage", message)
  }
  const wrong = ABOUT_JUDGES.find((name) => options[name] !== undefined)
  if (wrong !== undefined)
    throw new AssayError("bad_usage", `--${wrong} is about results of jobs, and '${printable(first)}' is a file.`)
  const { doctorResults } = await import("./doctor-results.ts")
  return doctorResults(context, first, options)
}

/** The names of rows of other tools. Those that do not exist are reported as missing files. */
const ROW_FILE = /\.(?:csv|tsv|jsonl?|ndjson|parquet)(?:\.gz)?$/i

function isFile({ cwd }: Pick<Context, "cwd">, name: string): boolean {
  const found = statSync(resolve(cwd, name), { throwIfNoEntry: false })
  return found === undefined ? ROW_FILE.test(name) : !found.isDirectory()
}
