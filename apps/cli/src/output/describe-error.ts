import { ERROR_CATALOGUE, isAssayError } from "@assay/schemas/errors"
import { isInterrupt } from "../exit-code.ts"
import { commandFor } from "./command-for.ts"

/** A failure as `--json` prints it, and as `formatError` words it. */
export interface DescribedError {
  readonly code: string
  /** What happened, and why. */
  readonly message: string
  /** What to do. */
  readonly remedy: string
  /** The command to run, where one helps. */
  readonly command?: string
  /** Where a fault of ours arose. */
  readonly stack?: string
}

/** What a command says about what it threw. `usage` is the name of the command, such as `fileset create`. */
export function describeError(error: unknown, usage: string, signal: AbortSignal): DescribedError {
  if (isInterrupt(error, signal)) {
    const remedy = "Run the same command again: it goes on from where it stood."
    return { code: "interrupted", message: "Interrupted.", remedy }
  }
  if (!isAssayError(error)) {
    const remedy = `${ERROR_CATALOGUE.internal.meaning} Report it with the command that you ran.`
    if (!(error instanceof Error)) return { code: "internal", message: String(error), remedy }
    const { name, message, stack } = error
    return { code: "internal", message: `${name}: ${message}`, remedy, ...(stack === undefined ? {} : { stack }) }
  }
  const { code, message } = error
  const command = commandFor(error, usage)
  return { code, message, remedy: ERROR_CATALOGUE[code].remedy, ...(command === undefined ? {} : { command }) }
}

/** The same for people: what happened and why, what to do, the command to run. */
export function formatError({ message, remedy, command, stack }: DescribedError): string {
  const end = command ?? stack
  return `error: ${message}\n\n${remedy}\n${end === undefined ? "" : `\n    ${end.trimEnd()}\n`}`
}
