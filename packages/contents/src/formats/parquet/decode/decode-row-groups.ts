import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import {
  parquetMetadataAsync,
  parquetRead,
  type parquetReadObjects,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type ParquetReadOptions,
} from "hyparquet"
import { compressors } from "hyparquet-compressors"
import { MAX_ROW_BYTES, tooLongFault } from "../../../rows/row-block.ts"
import type { GroupSize } from "../process/parquet-messages.ts"
import { excessOf } from "../../json/read-json.ts"
import { ParquetFault, describeParquetFault } from "../parquet-fault.ts"
import type { ParquetAnswer } from "../process/parquet-messages.ts"
import { parquetParsers, parquetToJson, type ParquetReading } from "./parquet-value.ts"
import { nameOfField, takeTypes, type KeptTypes } from "./kept-types.ts"
import { listLostNumbers, type RowLoss } from "./lost-numbers.ts"

export interface ParquetReader {
  readonly open: () => Promise<ParquetAnswer>
  /** Decodes the rows from `start` to before `end`, and returns the first of them. */
  readonly read: (start: number, end: number) => Promise<ParquetAnswer>
  /** Returns more of the decoded rows. */
  readonly more: () => ParquetAnswer
}

/** Maximum number of row groups. Writers put thousands of rows into each. */
const MAX_GROUPS = 100_000
/** Maximum number of columns, the same as for CSV. */
const MAX_COLUMNS = 10_000
/** Number of characters in one answer, unless a single row has more. The receiver parses it in one step. */
const ANSWER_CHARACTERS = 1024 * 1024

/** Creates a reader of Parquet files. A fault of the file is returned as an answer. */
export function createParquetReader(file: AsyncBuffer): ParquetReader {
  let metadata: FileMetaData | undefined
  let types: KeptTypes | undefined
  let decoded: readonly unknown[] = []
  let next = 0
  const codecs = parquetCodecs()

  async function open(): Promise<ParquetAnswer> {
    metadata = await parquetMetadataAsync(file, { parsers: parquetParsers })
    types = takeTypes(metadata)
    const groups = checkGroups(metadata)
    addDictionaryHeaders(metadata, file.byteLength)
    return { kind: "opened", groups: checkRowCounts(metadata, groups) }
  }

  async function read(rowStart: number, rowEnd: number): Promise<ParquetAnswer> {
    if (metadata === undefined) throw new ParquetFault("it was not opened")
    // Release the previous rows before decoding the next ones.
    decoded = []
    /** Number of rows in the pages of each column. */
    const ends = new Map<string, number>()
    const objects = await readObjects({
      file,
      onChunk: ({ columnName, rowEnd: end }) => ends.set(columnName, Math.max(end, ends.get(columnName) ?? 0)),
      metadata,
      rowStart,
      rowEnd,
      compressors: codecs,
      parsers: parquetParsers,
      utf8: false,
      useOffsetIndex: true,
    })
    const short = [...ends].find(([, end]) => end < rowEnd)
    if (objects.length !== rowEnd - rowStart || short !== undefined) {
      const where = short === undefined ? "its pages" : `the pages of the column '${nameOfField(short[0])}'`
      throw new ParquetFault(`its footer counts rows from ${rowStart} on that are not in ${where}`)
    }
    decoded = objects
    next = 0
    return more()
  }

  function more(): ParquetAnswer {
    const texts: string[] = []
    const lost: RowLoss[] = []
    const reading: ParquetReading = { types, hasExact: false, hasLost: false }
    for (let characters = 0; next < decoded.length && characters < ANSWER_CHARACTERS; next++) {
      const row = decoded[next]
      reading.hasLost = false
      const text = rowText(row, reading)
      if (reading.hasLost) lost.push({ index: texts.length, values: listLostNumbers(row, types) })
      texts.push(text)
      characters += text.length
    }
    const isLast = next === decoded.length
    return { kind: "rows", text: `[${texts.join(",")}]`, hasExact: reading.hasExact, lost, count: texts.length, isLast }
  }

  return { open: () => orFault(open), read: (start, end) => orFault(() => read(start, end)), more }
}

/** Returns the row groups. @throws `ParquetFault` if they have too many columns or rows without columns */
function checkGroups({ row_groups: groups }: FileMetaData): readonly GroupSize[] {
  if (groups.length > MAX_GROUPS) throw new ParquetFault(`it has more than ${MAX_GROUPS} row groups`)
  if (groups.some(({ columns }) => columns.length > MAX_COLUMNS)) {
    throw new ParquetFault(`it has more than ${MAX_COLUMNS} columns`)
  }
  if (groups.some(({ columns, num_rows }) => columns.length === 0 && num_rows > 0n)) {
    throw new ParquetFault("it has rows without columns")
  }
  return groups.map((group) => ({ rows: Number(group.num_rows), bytes: Number(group.total_byte_size) }))
}

/** Returns the row groups if they have as many rows as the footer counts. @throws `ParquetFault` */
function checkRowCounts(metadata: FileMetaData, groups: readonly GroupSize[]): readonly GroupSize[] {
  const rows = groups.reduce((sum, group) => sum + group.rows, 0)
  // Some writers leave 0 in the footer. The row groups count the rows of their pages.
  const counted = metadata.num_rows === 0n ? rows : Number(metadata.num_rows)
  if (rows === counted && groups.every((group) => group.rows >= 0)) return groups
  throw new ParquetFault(`its footer counts ${metadata.num_rows} rows, and its row groups ${rows}`)
}

async function orFault(work: () => Promise<ParquetAnswer>): Promise<ParquetAnswer> {
  try {
    return await work()
  } catch (error) {
    return { kind: "fault", fault: describeParquetFault(error) }
  }
}

type Objects = readonly Readonly<Record<string, unknown>>[]

/** Reads rows as objects. A value that is null can be undefined. */
function readObjects(
  options: Parameters<typeof parquetReadObjects>[0] & Pick<ParquetReadOptions, "onChunk">,
): Promise<Objects> {
  return new Promise((resolve, reject) => {
    parquetRead({ ...options, rowFormat: "object", onComplete: resolve }).catch(reject)
  })
}

/** The first version of parquet-mr that counts the header of a dictionary page in the size of its column (PARQUET-816). */
const COUNTS_HEADERS = [1, 2, 9]
const MAX_HEADER = 100

/** Corrects the sizes of columns in files of old writers, which do not count the header of the dictionary page. */
function addDictionaryHeaders({ created_by: writer = "", row_groups }: FileMetaData, size: number): void {
  if (!/^parquet-mr\b/.test(writer)) return
  const version = /version (\d+)\.(\d+)\.(\d+)/.exec(writer)?.slice(1).map(Number)
  const later = version?.findIndex((part, index) => part !== COUNTS_HEADERS[index]) ?? 0
  if (version !== undefined && (later === -1 || (version[later] ?? 0) > (COUNTS_HEADERS[later] ?? 0))) return
  for (const { meta_data: column } of row_groups.flatMap(({ columns }) => columns)) {
    // More bytes are only safe if reading ends with the last row, as it does in columns without lists.
    if (column === undefined || column.path_in_schema.length > 1) continue
    const end = Number(column.dictionary_page_offset ?? column.data_page_offset) + Number(column.total_compressed_size)
    column.total_compressed_size += BigInt(Math.max(0, Math.min(MAX_HEADER, size - end)))
  }
}

/** Returns a row as JSON. A valid row is an object, so a string instead of one describes a fault. */
function rowText(row: unknown, reading: ParquetReading): string {
  try {
    const text = JSON.stringify(parquetToJson(row, reading))
    const excess = text.length > MAX_ROW_BYTES ? tooLongFault(MAX_ROW_BYTES) : excessOf(text)
    return excess === undefined ? text : JSON.stringify(excess)
  } catch (error) {
    return JSON.stringify(`has ${error instanceof ParquetFault ? error.message : "a value that can't be read"}`)
  }
}

/** Maximum size of a decompressed page in bytes. The size that the file states is not trusted either. */
const MAX_BYTES = 256 * 1024 * 1024

type Codec = (input: Uint8Array, outputLength: number) => Uint8Array

/** Returns the codecs of Parquet, with the size of a page limited. Node's own codecs are used if they exist. */
function parquetCodecs(): Compressors {
  const { SNAPPY, LZ4, LZ4_RAW } = compressors
  const limit = { maxOutputLength: MAX_BYTES }
  return {
    GZIP: bounded((input) => gunzipSync(input, limit)),
    ZSTD: bounded((input) => zstdDecompressSync(input, limit)),
    BROTLI: bounded((input) => brotliDecompressSync(input, limit)),
    ...(SNAPPY === undefined ? {} : { SNAPPY: bounded(SNAPPY) }),
    ...(LZ4 === undefined ? {} : { LZ4: bounded(LZ4) }),
    ...(LZ4_RAW === undefined ? {} : { LZ4_RAW: bounded(LZ4_RAW) }),
  }
}

function bounded(decompress: Codec): Codec {
  return (input, outputLength) => {
    if (outputLength > MAX_BYTES) {
      throw new ParquetFault(`it has a page of ${outputLength} bytes; at most ${MAX_BYTES} are decoded`)
    }
    // A page without values can have no bytes, not even those of an empty text.
    if (outputLength === 0) return new Uint8Array(0)
    try {
      return decompress(input, outputLength)
    } catch (error) {
      if (error instanceof ParquetFault) throw error
      throw new ParquetFault("the compressed bytes of a page are damaged", { cause: error })
    }
  }
}
