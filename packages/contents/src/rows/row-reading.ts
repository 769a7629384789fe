/** What the text of a row says: its value, or what is wrong with it. */
export type RowReading =
  | {
      readonly row: unknown
      readonly fault: null
      /** Whether a number in it is an `ExactNumber`. Absent: none is. */
      readonly hasExact?: boolean
    }
  | { readonly row: null; readonly fault: string }
