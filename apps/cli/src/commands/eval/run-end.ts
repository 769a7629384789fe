import { isAbsolute, relative, resolve } from "node:path"
import { jobFormats, type scoreGates } from "@assay/results"
import {
  type Comparison,
  type Condition,
  type EvaluationConfigBody,
  type EvaluationResult,
  type JobStatus,
  type JobStatusDetails,
  jobVerdict,
  type JobVerdict,
  printable,
} from "@assay/schemas"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode, exitCodeOfVerdict } from "../../exit-code.ts"
import { quotedWord } from "../../output/error-hints.ts"
import { writeFile } from "../../output/write-file.ts"

/** Why --stop-early and --against exclude each other. */
export const STOP_EARLY_AGAINST =
  "--against compares all rows at the end; to end as soon as the comparison is decided, write a gate with `against` and `stop: early` into the file, and leave out --against and --stop-early."

/** A job that has ended, for the jobs after it. */
export interface JobEnd {
  /** The id of the job on the server, or the absolute path of its folder. */
  readonly job: string
  readonly result: EvaluationResult | null
  /** The verdict of its gates and conditions; null if nothing decides. */
  readonly judged: JobVerdict | null
  /** The verdict of its comparison, if it was compared. */
  readonly verdict: Comparison["verdict"] | undefined
}

/** The end of a run. */
export interface RunEnd {
  readonly status: JobStatus
  readonly gates: ReturnType<typeof scoreGates.check>
  /** Default: none. */
  readonly conditions?: readonly Pick<Condition, "code">[]
  /** Rows without an answer. Default 0. */
  readonly failed?: number | undefined
}

/**
 * Returns 1 if the job did not complete or a gate failed, 3 if a gate can't be decided or a condition puts the scores in
 * doubt, else 0. A condition that passes by itself, such as a rate limit, does not count if every row has its answer.
 */
export function exitCodeOfRun({ status, gates, conditions = [], failed = 0 }: RunEnd): ExitCode {
  if (status !== "COMPLETED") return EXIT.no
  return exitCodeOfVerdict(jobVerdict({ status, gates, conditions, failed }) ?? "PASS")
}

/** Returns the sentence about the end of a job that could end before all of its rows were asked; undefined for any other. */
export function earlyMessage(
  { params }: Pick<EvaluationConfigBody, "params">,
  { budget_exhausted }: Pick<JobStatusDetails, "budget_exhausted">,
  message: string,
): string | undefined {
  const isEarly = params?.gates?.some(({ stop }) => stop === "early") === true
  return isEarly || budget_exhausted !== undefined ? message : undefined
}

/** Returns a path in the notation of commands: relative if it is inside the working folder, else absolute. */
export function shownPath({ cwd }: Pick<Context, "cwd">, path: string): string {
  const inside = relative(cwd, path)
  return inside === "" ? "." : inside.startsWith("..") ? path : `./${inside}`
}

/** Returns the folder or the bucket of a run in the notation of commands. */
export function shownRun(context: Pick<Context, "cwd">, location: string): string {
  return isAbsolute(location) ? shownPath(context, location) : location
}

/** Returns the location of a run as a word of a command that a user can copy. */
export function runWord(context: Pick<Context, "cwd">, { location }: { readonly location: string }): string {
  return printable(quotedWord(shownRun(context, location)))
}

/** Returns whether a location is a bucket. */
export function isBucket(location: string): boolean {
  return location.startsWith("s3://")
}

/** Writes the gates of a job, or its metrics if it has no gates, and its conditions as JUnit XML. */
export async function writeJunit(
  { cwd, keepJunit }: Pick<Context, "cwd" | "keepJunit">,
  name: string,
  input: Parameters<typeof jobFormats.junit>[0][number]["input"],
): Promise<void> {
  await (keepJunit === undefined ? writeFile(resolve(cwd, name), jobFormats.junit([{ input }])) : keepJunit(input))
}
