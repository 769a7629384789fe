import { printable } from "../../output/printable.ts"

/** `file:line:offset`, which editors and terminals can follow; `file:row 12` in Parquet, which has no lines. */
export function formatRowPlace(
  name: string,
  {
    row_index,
    line,
    offset,
  }: { readonly row_index: number; readonly line: number | null; readonly offset: number | null },
): string {
  return `${printable(name)}:${line === null ? `row ${row_index}` : `${line}:${offset}`}`
}
