import { formatCount, tone } from "@assay/reports/terminal"
import { ERROR_CATALOGUE, isAssayError, type AssayError } from "@assay/schemas/errors"
import type { Context } from "../context.ts"
import { isInterrupt } from "../exit-code.ts"
import { commandFor, localNamesake } from "./error-hints.ts"
import { failedChecksOf, formatFailedChecks, type DescribedCheck } from "./failed-checks.ts"

/** An error as `--json` prints it. `formatError` formats it for people. */
export interface DescribedError {
  readonly code: string
  /** What happened and why. */
  readonly message: string
  /** What to do. */
  readonly remedy: string
  /** A command that helps, if there is one. */
  readonly command?: string
  /** Every failed check of a launch that was refused. */
  readonly failed_checks?: readonly DescribedCheck[]
  /** The stack of an internal error. */
  readonly stack?: string
}

/** The command line that failed. */
export interface FailedCommand {
  /** The name of the command, such as `fileset create`. */
  readonly usage: string
  readonly words: readonly string[]
}

/** Describes an error that a command has thrown. */
export function describeError(
  error: unknown,
  { usage, words }: FailedCommand,
  context: Pick<Context, "cwd" | "env" | "signal">,
): DescribedError {
  const { signal } = context
  if (isInterrupt(error, signal)) {
    const remedy = "Run the same command again to continue."
    return { code: "interrupted", message: "Interrupted.", remedy }
  }
  if (!isAssayError(error)) {
    const remedy = `${ERROR_CATALOGUE.internal.meaning} Report it with the command that you ran.`
    if (!(error instanceof Error)) return { code: "internal", message: String(error), remedy }
    const { name, message, stack } = error
    return { code: "internal", message: `${name}: ${message}`, remedy, ...(stack === undefined ? {} : { stack }) }
  }
  const { code } = error
  const checks = failedChecksOf(error)
  if (checks !== undefined) return describeRefusal(checks)
  const command = commandFor(error, usage)
  const namesake = localNamesake(error, words, context)
  const message = namesake === undefined ? error.message : `${error.message.replace(/[^.?!]$/, "$&.")} ${namesake}`
  return { code, message, remedy: remedyFor(error, context), ...(command === undefined ? {} : { command }) }
}

/** Returns what to do. For `unauthorized`, this depends on the token in the environment. */
function remedyFor({ code }: AssayError, { env }: Pick<Context, "env">): string {
  if (code !== "unauthorized") return ERROR_CATALOGUE[code].remedy
  const given =
    (env["ASSAY_TOKEN"] ?? "") === ""
      ? "ASSAY_TOKEN is not set: set it to a token of this server."
      : "The server does not know the token in ASSAY_TOKEN, or it has expired or was revoked: set ASSAY_TOKEN to another one."
  return `${given} The operator of the server creates one on its machine:`
}

function describeRefusal(failed_checks: readonly DescribedCheck[]): DescribedError {
  const message = `Job cannot be launched: ${formatCount(failed_checks.length, "check")} failed.`
  const remedy = "Correct the faults, or launch without the checks: --skip-checks."
  return { code: "launch_refused", message, remedy, failed_checks }
}

/** Formats an error for people: what happened and why, what to do, and the command to run. */
export function formatError({ message, remedy, command, failed_checks: checks, stack }: DescribedError): string {
  const end = command ?? stack
  const listed = checks === undefined ? "" : `${formatFailedChecks(checks)}\n\n`
  return `${tone("bad", "error:")} ${message}\n\n${listed}${remedy}\n${end === undefined ? "" : `\n    ${end.trimEnd()}\n`}`
}
