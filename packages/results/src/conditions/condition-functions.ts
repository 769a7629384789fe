import { keepFault } from "./answer-tally.ts"
import { joinConditions } from "./create-condition-finder.ts"
import { findInError } from "./find-in-error.ts"
import { classifyStorageError } from "./storage-finding.ts"

/** Finds conditions in errors and answers, and joins them. One list, because a package exports few names. */
export const conditionFunctions = Object.freeze({
  ofError: findInError,
  ofStorageError: classifyStorageError,
  keepFault,
  join: joinConditions,
})
