import { isAssayError } from "@assay/schemas/errors"

/** The exit codes of all commands. */
export const EXIT = {
  done: 0,
  /** The command worked, and the result is negative: blocked, gate failed, invalid. */
  no: 1,
  /** An error that the user can fix. */
  fixable: 2,
  inconclusive: 3,
  /** An error in this program. */
  fault: 70,
  interrupted: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Returns the exit code for an error of a command. */
export function exitCodeOf(error: unknown, signal: AbortSignal): ExitCode {
  if (isInterrupt(error, signal)) return EXIT.interrupted
  return isAssayError(error) && error.code !== "internal" ? EXIT.fixable : EXIT.fault
}

/** Returns whether the user interrupted the command. A prompt reads Ctrl-C as a key and throws an `AbortError`. */
export function isInterrupt(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (error instanceof DOMException && error.name === "AbortError")
}

/** The exit codes of comparisons and calibrations. */
export const EXIT_OF_VERDICT = { PASS: EXIT.done, INCONCLUSIVE: EXIT.inconclusive, FAIL: EXIT.no } as const

/** Returns the exit code of a comparison. Null: scores measure something else in another job. */
export function exitCodeOfVerdict(verdict: keyof typeof EXIT_OF_VERDICT | null): ExitCode {
  return verdict === null ? EXIT.inconclusive : EXIT_OF_VERDICT[verdict]
}
