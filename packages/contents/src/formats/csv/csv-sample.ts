/** The first records of a file, split into fields in one way. */
export interface CsvSample {
  readonly records: readonly (readonly string[])[]
  /** Number of fields in the first record. */
  readonly columns: number
  /** The share of records after the first one that have as many fields as it. 1 if there are none. */
  readonly even: number
  /** The share of fields after the first record that are numbers, dates or other short values of one type. */
  readonly typed: number
  /** Whether a quote is not where quotes of CSV can be. */
  readonly isBroken: boolean
  /** Whether an enclosed field has a doubled quote. */
  readonly hasDoubled: boolean
  /** Whether an enclosed field has a delimiter or a line end. */
  readonly hasEnclosed: boolean
  /** Whether all fields of the first record are enclosed. */
  readonly isHeaderEnclosed: boolean
}

const MAX_RECORDS = 200
const TYPED =
  /^(?:[+-]?[0-9]+(?:[.,][0-9]+)*(?:[eE][+-]?[0-9]+)? ?%?|true|false|yes|no|null|nan|[0-9]{2,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}.*)$/i

/** One field of a text, from `start` to before `end`. */
interface Field {
  readonly value: string
  readonly end: number
  readonly isEnclosed: boolean
  readonly isBroken: boolean
}

/**
 * Splits the beginning of a CSV file, at most 200 records. Blank lines are left out.
 * @param isWhole whether the text is the whole file; if not, its last record is left out
 */
export function sampleCsv(
  text: string,
  { delimiter, hasQuotes }: { readonly delimiter: string; readonly hasQuotes: boolean },
  isWhole: boolean,
): CsvSample {
  const records: string[][] = []
  const found = { isBroken: false, hasDoubled: false, hasEnclosed: false, isHeaderEnclosed: true }
  const plain = new RegExp(
    `[^${delimiter === "\\" || delimiter === "]" || delimiter === "^" ? "\\" : ""}${delimiter}\r\n]*`,
    "y",
  )
  let record: string[] = []
  for (let at = 0; at < text.length && records.length < MAX_RECORDS;) {
    const field =
      hasQuotes && text[at] === '"' ? enclosedField(text, at, plain) : plainField(text, at, plain, hasQuotes)
    record.push(field.value)
    if (field.end === text.length && !isWhole) break
    found.isBroken ||= field.isBroken
    if (field.isEnclosed) {
      found.hasDoubled ||= field.value.includes('"')
      found.hasEnclosed ||= field.value.includes(delimiter) || /[\r\n]/.test(field.value)
    } else if (records.length === 0) found.isHeaderEnclosed = false
    at = field.end + 1
    if (text[field.end] === delimiter) {
      // A delimiter at the end of the text begins an empty field.
      if (at === text.length && isWhole) record.push("")
      if (at < text.length) continue
    }
    if (record.length > 1 || record[0] !== "") records.push(record)
    record = []
  }
  return { records, ...found, ...shapeOf(records) }
}

function plainField(text: string, at: number, plain: RegExp, hasQuotes: boolean): Field {
  plain.lastIndex = at
  const [value = ""] = plain.exec(text) ?? []
  return { value, end: at + value.length, isEnclosed: false, isBroken: hasQuotes && value.includes('"') }
}

function enclosedField(text: string, at: number, plain: RegExp): Field {
  let close = text.indexOf('"', at + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close === -1) return { value: text.slice(at + 1), end: text.length, isEnclosed: true, isBroken: true }
  const rest = plainField(text, close + 1, plain, false)
  const value = text.slice(at + 1, close).replaceAll('""', '"')
  return { value, end: rest.end, isEnclosed: true, isBroken: rest.value !== "" }
}

function shapeOf([header = [], ...rest]: readonly (readonly string[])[]) {
  const columns = header.length
  const fields = rest.flat().filter((field) => field !== "")
  return {
    columns,
    even: rest.length === 0 ? 1 : rest.filter(({ length }) => length === columns).length / rest.length,
    typed: fields.length === 0 ? 0 : fields.filter((field) => TYPED.test(field)).length / fields.length,
  }
}
