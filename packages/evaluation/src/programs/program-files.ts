import { withServedPrograms, withSourcePrograms } from "./fileset-programs.ts"
import { readBelow, whyNotBelow } from "./read-below.ts"
import { readProgramFiles } from "./read-program-files.ts"

/** The files of programs of an evaluation: those beside its file, and those of filesets. */
export const programFiles = Object.freeze({
  read: readProgramFiles,
  readBelow,
  whyNotBelow,
  withServed: withServedPrograms,
  withSource: withSourcePrograms,
})
