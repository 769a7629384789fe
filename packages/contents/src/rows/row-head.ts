import type { JsonShape } from "../formats/json/json-scanner.ts"

/** What has to be known of the beginning of a file to read rows from the middle of it. */
export type RowHead =
  | { readonly encoding: "lines" }
  | { readonly encoding: "json"; readonly shape: JsonShape | null }
  | { readonly encoding: "csv"; readonly delimiter: string; readonly columns: readonly string[] | null }

/** A place in a file at which a row begins, with what has to be known to go on from there. */
export interface RowMark {
  readonly head: RowHead
  readonly rowIndex: number
  readonly line: number
  readonly offset: number
}
