import { keepFault } from "./answer-tally.ts"
import { joinConditions } from "./create-condition-finder.ts"
import { findInError } from "./find-in-error.ts"
import { classifyStorageError } from "./storage-finding.ts"

/** What went wrong, as errors and answers show it. */
export const conditions = Object.freeze({
  ofError: findInError,
  ofStorageError: classifyStorageError,
  keepFault,
  join: joinConditions,
})
