import type { FilterField } from "./filter.ts"

const PLAIN_KEY = /^[\p{L}\p{N}_$-]+$/u

/** The dotted name of a field, in which keys of other characters are quoted: `custom_fields.a["b.c"]`. */
export function formatFilterField({ column, path }: FilterField): string {
  return column + path.map((key) => (PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join("")
}
