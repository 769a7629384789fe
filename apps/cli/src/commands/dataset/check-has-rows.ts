import { AssayError } from "@assay/schemas/errors"
import { printable } from "../../output/printable.ts"

/** @throws `not_a_row_file` where there are no `files`: an answer about nothing would pass for a good one */
export function checkHasRows(files: readonly unknown[], dataset: string): void {
  if (files.length > 0) return
  throw new AssayError("not_a_row_file", `No file of '${printable(dataset)}' is one that rows are read from.`)
}
