import { fileGates, withJobGates } from "./score-gates.ts"
import { checkScoreName, sequentialGates, withoutGates } from "./sequential-gates.ts"

/** The gates of a job that is launched from a file. */
export const jobGates = Object.freeze({
  ofFile: fileGates,
  inJob: withJobGates,
  checkName: checkScoreName,
  sequential: sequentialGates,
  without: withoutGates,
})
