import { isAssayError } from "@assay/schemas/errors"

/** What the exit code of every command means. */
export const EXIT = {
  done: 0,
  /** The answer is no: blocked, gate failed, invalid. */
  no: 1,
  /** The user can fix it. */
  fixable: 2,
  inconclusive: 3,
  /** A fault of ours. */
  fault: 70,
  interrupted: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The exit code for what a command threw. */
export function exitCodeOf(error: unknown, signal: AbortSignal): ExitCode {
  if (isInterrupt(error, signal)) return EXIT.interrupted
  return isAssayError(error) && error.code !== "internal" ? EXIT.fixable : EXIT.fault
}

/** Whether a command ended because its user wanted it to: by Ctrl-C, which a prompt reads as a key. */
export function isInterrupt(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (error instanceof DOMException && error.name === "AbortError")
}
