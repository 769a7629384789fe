/** What the text of a row says: its value, or what is wrong with it. */
export type RowReading =
  | { readonly row: unknown; readonly fault: null }
  | { readonly row: null; readonly fault: string }
