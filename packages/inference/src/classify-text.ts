import type { InferenceErrorCode } from "./failures/failure.ts"
import { firstSignal, PYTHON_SIGNALS, SERVER_SIGNALS } from "./failures/text-signals.ts"

/** Longer lines are read to here, so that a hostile one costs no more. */
const MAX = 16_384

/**
 * The condition that a line of a Python service's log tells of, or undefined. Text is the last thing to go by: a status or
 * an error code that is at hand says more.
 */
export function classifyText(text: string): InferenceErrorCode | undefined {
  return firstSignal(text.slice(0, MAX), [...PYTHON_SIGNALS, ...SERVER_SIGNALS])
}
