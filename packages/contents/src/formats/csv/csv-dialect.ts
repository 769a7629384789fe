import type { DatasetMetadata } from "@assay/schemas"

/** The form of CSV in `metadata.dataset.csv`. Absent fields are detected. */
export type CsvSettings = NonNullable<DatasetMetadata["csv"]>

/** How the records of a CSV file are written. Plain data. */
export interface CsvDialect {
  /** One ASCII character. */
  readonly delimiter: string
  /** Whether a quote at the beginning of a field encloses it. Otherwise quotes are letters. */
  readonly hasQuotes: boolean
  /** The decimal separator of numbers. */
  readonly decimal: "." | ","
}

export const COMMAS: CsvDialect = { delimiter: ",", hasQuotes: true, decimal: "." }
export const TABS: CsvDialect = { delimiter: "\t", hasQuotes: false, decimal: "." }

/** Names a delimiter in a message. */
export function nameOfDelimiter(delimiter: string): string {
  if (delimiter === "\t") return "a tab"
  const code = delimiter.charCodeAt(0)
  return code < 32 ? `U+00${code.toString(16).toUpperCase().padStart(2, "0")}` : `'${delimiter}'`
}
