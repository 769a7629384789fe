import { formatEvents } from "./format-events.ts"
import { followEvents, jobLog } from "./job-events.ts"
import { archiveOf, compareStoredJobs, logArchiveOf, queueStoredPairs, resultOf } from "./job-results.ts"
import { presentResult } from "./present-result.ts"

/** The outputs of a job that runs or has ended, as a server shows them. */
export const jobOutputs = Object.freeze({
  followEvents,
  formatEvents,
  log: jobLog,
  logArchive: logArchiveOf,
  result: resultOf,
  present: presentResult,
  archive: archiveOf,
  compare: compareStoredJobs,
  queuePairs: queueStoredPairs,
})
