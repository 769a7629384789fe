import { readReportGates } from "./report-gates.ts"
import { fileGates } from "./score-gates.ts"
import { checkScoreName, sequentialGates, withoutGates } from "./sequential-gates.ts"

/** The gates of a job that is launched from a file. */
export const jobGates = Object.freeze({
  ofFile: fileGates,
  ofReport: readReportGates,
  checkName: checkScoreName,
  sequential: sequentialGates,
  without: withoutGates,
})
