import { formatJobJunit } from "./format-job-junit.ts"
import { formatLogEntry } from "./format-logs.ts"

/** The texts that a job leaves behind, for programs that write them to other files. */
export const jobFormats = Object.freeze({ junit: formatJobJunit, logEntry: formatLogEntry })
