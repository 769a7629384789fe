import { nameOfDelimiter, type CsvDialect, type CsvSettings } from "./csv-dialect.ts"
import { sampleCsv, type CsvSample } from "./csv-sample.ts"

/** How a file is written, found from its beginning. */
interface DetectedDialect {
  readonly dialect: CsvDialect
  /** Number of characters before the header: the line `sep=;` of Excel. */
  readonly skipped: number
  /** Differences from the usual form of a file with this name, and the reasons for them. */
  readonly notes: readonly string[]
}

const DELIMITERS = [",", ";", "\t", "|"]
/** The first line by which Excel names the delimiter. */
const SEPARATOR_LINE = /^\ufeff?"?sep=([^"\r\n])"?(?:\r*\n|\r)/i

/** A way to split the beginning of a file. */
interface Split {
  readonly delimiter: string
  readonly hasQuotes: boolean
  readonly sample: CsvSample
  /** Why quotes are read in this way; null if the text has none, or it is the usual way. */
  readonly quotesNote: string | null
}

/**
 * Finds the dialect of a CSV file from the beginning of its text. Settings are not questioned.
 * @param usual the dialect of a file with this name
 * @param isWhole whether the text is the whole file
 */
export function detectDialect(
  text: string,
  {
    usual,
    settings,
    isWhole,
  }: { readonly usual: CsvDialect; readonly settings: CsvSettings; readonly isWhole: boolean },
): DetectedDialect {
  const [line = "", named] = SEPARATOR_LINE.exec(text) ?? []
  const body = text.slice(line.length).replace(/^\ufeff/, "")
  const split = (delimiter: string) => splitAt(body, delimiter, { quotes: settings.quotes, isWhole })
  const notes: string[] = []
  const given = settings.delimiter ?? named
  const chosen = given === undefined ? chooseDelimiter(body, usual.delimiter, split) : split(given)
  const { delimiter, hasQuotes, sample, quotesNote } = chosen
  if (settings.delimiter === undefined && delimiter !== usual.delimiter) {
    const why =
      named === undefined
        ? `because ${whyNot(usual.delimiter, split(usual.delimiter), chosen)}`
        : "as the line 'sep=' says"
    notes.push(`fields are separated by ${nameOfDelimiter(delimiter)}, ${why}`)
  }
  const other = given === undefined ? otherDelimiter(sample) : undefined
  if (other !== undefined) {
    const { character, parts } = other
    notes.push(
      `the text has one column, but ${nameOfDelimiter(character)} divides the header and all first records into ${parts} parts; name it as the delimiter if it separates fields`,
    )
  }
  const inner = linesInQuotes(sample)
  if (inner > 1) {
    notes.push(
      `the text has one column, because each line is enclosed in quotes as a whole; without them there are ${inner} columns, so write it again without quotes around its lines`,
    )
  }
  if (quotesNote !== null) notes.push(quotesNote)
  const comma = settings.decimal === undefined && delimiter !== "," ? decimalComma(sample) : undefined
  if (comma !== undefined) notes.push(`numbers have a decimal comma, as in '${comma}'`)
  const decimal = settings.decimal ?? (comma === undefined ? "." : ",")
  return { dialect: { delimiter, hasQuotes, decimal }, skipped: line.length, notes }
}

/**
 * Chooses the delimiter that splits the header into several fields and the other records into as many. Of several such, the one whose
 * fields look more like values is chosen, and then the usual one.
 */
function chooseDelimiter(text: string, usual: string, split: (delimiter: string) => Split): Split {
  const others = DELIMITERS.filter((one) => one !== usual && text.includes(one))
  const first = split(usual)
  const found = [first, ...others.map(split)].filter(({ sample }) => sample.columns > 1)
  const [best = first] = found.toSorted(
    (a, b) =>
      b.sample.even - a.sample.even || b.sample.typed - a.sample.typed || (a === first ? -1 : b === first ? 1 : 0),
  )
  return best
}

/** Characters that separate fields in the texts of some programs, and are too frequent in text to be taken for that without being asked. */
// oxlint-disable-next-line no-control-regex -- Hive separates fields by U+0001, and ASCII has U+001C to U+001F for it
const RARE_DELIMITER = /[\u0001-\u0008\u001c-\u001f!#$%&*+:=@^~]/gu

/** Returns the character that divides all records of a sample of one column into as many parts as its header. */
function otherDelimiter({ columns, records }: CsvSample): { character: string; parts: number } | undefined {
  const [[header = ""] = [], ...rest] = records
  if (columns !== 1 || rest.length === 0) return undefined
  const partsOf = (text: string, character: string) => text.split(character).length
  // The sample was split at another character, which can be within the parts.
  const lines = rest.map((fields) => fields.join(","))
  const found = [...new Set(header.match(RARE_DELIMITER))].map((character) => {
    return { character, parts: partsOf(header, character) }
  })
  return found
    .filter(({ character, parts }) => lines.every((line) => partsOf(line, character) === parts))
    .toSorted((a, b) => b.parts - a.parts)[0]
}

/** Returns the number of fields inside a sample of one column whose fields are lines of CSV themselves, as after exporting a file twice; 0 for others. */
function linesInQuotes({ columns, records, isHeaderEnclosed }: CsvSample): number {
  if (columns !== 1 || !isHeaderEnclosed || records.length < 2) return 0
  const lines = records.map(([line = ""]) => line)
  const counts = DELIMITERS.map((delimiter) => {
    const inner = sampleCsv(lines.join("\n"), { delimiter, hasQuotes: true }, true)
    return inner.isBroken || inner.even < 1 || inner.records.length !== lines.length ? 0 : inner.columns
  })
  return Math.max(...counts)
}

function whyNot(usual: string, { sample: { columns } }: Split, chosen: Split): string {
  const { sample } = chosen
  if (columns <= 1)
    return `the header has ${sample.columns} fields with it, and no ${nameOfDelimiter(usual).replace(/^a /, "")}`
  return `${Math.round(100 * sample.even)} % of the first records have the ${sample.columns} fields of the header with it`
}

interface SplitOptions {
  readonly quotes: CsvSettings["quotes"]
  readonly isWhole: boolean
}

/** Splits a text at a delimiter. Only text with tabs has to show whether its quotes enclose fields. */
function splitAt(text: string, delimiter: string, { quotes, isWhole }: SplitOptions): Split {
  const read = (hasQuotes: boolean): Split => {
    return { delimiter, hasQuotes, sample: sampleCsv(text, { delimiter, hasQuotes }, isWhole), quotesNote: null }
  }
  if (quotes !== undefined) return read(quotes === "double")
  if (delimiter !== "\t") return read(true)
  const literal = read(false)
  if (!text.includes('"')) return literal
  const enclosed = read(true)
  const isEnclosed = enclosesFields(enclosed.sample, literal.sample)
  if (isEnclosed !== null) return { ...enclosed, quotesNote: `a quote encloses a field, because ${isEnclosed}` }
  return { ...literal, quotesNote: "a quote is a letter, as in files that are separated by tabs" }
}

/**
 * Says why quotes of a text with tabs enclose its fields; null if they are letters. Quotes that are balanced by accident would merge
 * rows, so the text must not be readable without them, or its quotes must be doubled as only CSV does it.
 */
function enclosesFields(enclosed: CsvSample, literal: CsvSample): string | null {
  if (enclosed.isBroken || enclosed.even < 1) return null
  if (literal.even < 1 || literal.columns !== enclosed.columns) {
    return "the records have as many fields as the header only then"
  }
  if (enclosed.hasEnclosed) return null
  if (enclosed.hasDoubled) return "the quotes in its text are doubled"
  return enclosed.isHeaderEnclosed ? "the names of the header are enclosed" : null
}

const WITH_COMMA = /^[+-]?[0-9]+,[0-9]+$/
const WITH_POINT = /^[+-]?[0-9]*\.[0-9]+$/
/** May be a whole number with a separator of thousands. */
const THOUSANDS = /^[+-]?[1-9][0-9]{0,2},[0-9]{3}$/

/** Returns a number with a decimal comma if numbers are written so; undefined if they are not, or if it is not clear. */
function decimalComma({ records }: CsvSample): string | undefined {
  const fields = records.slice(1).flat()
  if (fields.some((field) => WITH_POINT.test(field))) return undefined
  return fields.find((field) => WITH_COMMA.test(field) && !THOUSANDS.test(field))
}
