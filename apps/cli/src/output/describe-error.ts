import { formatCount, tone } from "@assay/reports/terminal"
import { FilesetName, printable, type ValidationIssue, WORKSPACE_NAME_PATTERN } from "@assay/schemas"
import { ERROR_CATALOGUE, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../context.ts"
import { isInterrupt } from "../exit-code.ts"
import { commandFor, isUnnamed, localNamesake, ownCommand } from "./error-hints.ts"
import { launchRemedy, ownRemedy, remedyFor } from "./error-remedies.ts"
import { failedChecksOf, formatFailedChecks, type DescribedCheck } from "./failed-checks.ts"

/** An error as `--json` prints it. `formatError` formats it for people. */
export interface DescribedError {
  readonly code: string
  /** Says what happened and why. */
  readonly message: string
  /** Says what to do. */
  readonly remedy: string
  /** A command that helps, if there is one. */
  readonly command?: string
  /** Every field of a request that was refused, or every fault of a document by its location. */
  readonly issues?: readonly DescribedIssue[]
  /** Every failed check of a launch that was refused. */
  readonly failed_checks?: readonly DescribedCheck[]
  /** The stack of an internal error. */
  readonly stack?: string
}

/** A field of a request, and the rule that it breaks. */
export interface DescribedIssue {
  readonly field: string
  readonly message: string
}

/** The command line that failed. */
export interface FailedCommand {
  /** The name of the command, such as `fileset create`. */
  readonly usage: string
  readonly words: readonly string[]
}

/** Maximum length of a value that a message repeats. */
const MAX_QUOTED = 100

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
  if (checks !== undefined) return describeRefusal(checks, words)
  const issues = error.issues.map(describeIssue)
  const command = ownCommand(error) ?? (ownRemedy(error) === undefined ? commandFor(error, usage, words) : undefined)
  const namesake = localNamesake(error, { usage, words }, context)
  const { count } = error.context
  const said = typeof count === "string" ? count : issues.length === 0 ? error.message : describeIssues(issues)
  const sentence = said.replace(/[\w'")\]]$/, "$&.")
  const message = namesake === undefined ? sentence : `${sentence} ${namesake}`
  return {
    code,
    message,
    remedy: isUnnamed(error.context["file"], words)
      ? "Name an evaluation file, or write one:"
      : remedyFor(error, context),
    ...(command === undefined ? {} : { command }),
    ...(issues.length < 2 ? {} : { issues }),
  }
}

/** The patterns of names, in words. */
const NAME_RULES: readonly (readonly [pattern: string, rule: string])[] = [
  [FilesetName.pattern ?? "", "A name has letters, digits, '.', '_' and '-', such as my-set."],
  [
    WORKSPACE_NAME_PATTERN,
    "A name has 2 to 63 small letters, digits, '-', '@', '.', '+' and '_', and begins with a letter, such as my-team.",
  ],
]

/** Names the field without the part of the request, which the command line fills in. */
function describeIssue({ loc, msg, type, input }: ValidationIssue): DescribedIssue {
  const isPart = loc.length > 1 && ["body", "query", "path", "header"].includes(String(loc[0]))
  // Patterns are for names, which are not secret.
  const isName = type === "string_pattern_mismatch" && typeof input === "string" && input.length <= MAX_QUOTED
  const value = isName ? `'${input}' is not possible. ` : ""
  const rule = NAME_RULES.find(([pattern]) => isName && msg.includes(pattern))?.[1]
  if (rule !== undefined) return { field: (isPart ? loc.slice(1) : loc).join("."), message: value + rule }
  return { field: (isPart ? loc.slice(1) : loc).join("."), message: value + msg.replace(/[^.?!]$/, "$&.") }
}

function describeIssues(issues: readonly DescribedIssue[]): string {
  const [only, ...others] = issues
  if (only !== undefined && others.length === 0) return `${only.field}: ${only.message}`
  return `${formatCount(issues.length, "field")} can't be accepted.`
}

function describeRefusal(failed_checks: readonly DescribedCheck[], words: readonly string[]): DescribedError {
  const message = `Job cannot be launched: ${formatCount(failed_checks.length, "check")} failed.`
  return { code: "launch_refused", message, remedy: launchRemedy(failed_checks, words), failed_checks }
}

/** Formats an error for people: what happened and why, what to do, and the command to run. */
export function formatError(described: DescribedError): string {
  const { message, remedy, command, issues = [], failed_checks: checks, stack } = described
  const end = command ?? stack
  const fields = issues.map((issue) => `  ${printable(`${issue.field}: ${issue.message}`)}\n`)
  const listed = checks === undefined ? fields.join("") : `${formatFailedChecks(checks)}\n`
  return `${tone("bad", "error:")} ${message}\n\n${listed === "" ? "" : `${listed}\n`}${remedy}\n${end === undefined ? "" : `\n    ${end.trimEnd()}\n`}`
}
