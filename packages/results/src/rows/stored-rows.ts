import { readOutputs } from "./read-outputs.ts"
import { readWorstRows } from "./worst-rows.ts"

/** The readings of the rows of a job that has ended. */
export const storedRows = Object.freeze({ worst: readWorstRows, outputs: readOutputs })
