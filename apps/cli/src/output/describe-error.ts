import { ERROR_CATALOGUE, isAssayError } from "@assay/schemas/errors"
import { commandFor } from "./command-for.ts"

/** A failure as `--json` prints it, and as `formatError` words it. */
export interface DescribedError {
  readonly code: string
  /** What happened. */
  readonly message: string
  /** What to do. */
  readonly remedy: string
  /** The command to run, where one helps. */
  readonly command?: string
}

/** What a command says about what it threw. `usage` is the name of the command, such as `fileset create`. */
export function describeError(error: unknown, usage: string, signal: AbortSignal): DescribedError {
  if (signal.aborted) {
    return {
      code: "interrupted",
      message: "Interrupted.",
      remedy: "Run the same command again: it goes on from where it stood.",
    }
  }
  if (!isAssayError(error)) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return {
      code: "internal",
      message,
      remedy: `${ERROR_CATALOGUE.internal.meaning} Report it with the command that you ran.`,
    }
  }
  const { code, message } = error
  const command = commandFor(error, usage)
  return { code, message, remedy: ERROR_CATALOGUE[code].remedy, ...(command === undefined ? {} : { command }) }
}

/** The same for people: what happened and why, what to do, the command to run. */
export function formatError({ message, remedy, command }: DescribedError): string {
  const run = command === undefined ? "" : `\n    ${command}\n`
  return `error: ${message}\n\n${remedy}\n${run}`
}
