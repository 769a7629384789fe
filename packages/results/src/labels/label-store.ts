import { openLabelFile } from "./label-file.ts"
import { labelLocationOf, openLabelFileset } from "./label-fileset.ts"
import { parseLabelRows } from "./label-rows.ts"
import { readLabelText } from "./label-text.ts"

/** Where labels of people are kept. */
export const labelStore = Object.freeze({
  locate: labelLocationOf,
  ofFile: openLabelFile,
  ofFileset: openLabelFileset,
  /** Reads the rows of a file with labels, by the name that messages give it. @throws `invalid_request` for a line that is not a label, and for a file that is too large */
  read: async (bytes: AsyncIterable<Uint8Array>, file: string) =>
    parseLabelRows(await readLabelText(bytes, file), file),
})
