import { parquetMetadataAsync, parquetReadObjects, type AsyncBuffer, type FileMetaData } from "hyparquet"
import { parquetCodecs } from "./parquet-codecs.ts"
import type { ParquetAnswer } from "./parquet-messages.ts"
import { takeDecimals, type DecimalPlaces } from "./decimal-columns.ts"
import { describeParquetFault, ParquetFault } from "./parquet-fault.ts"
import { listLostNumbers, type RowLoss } from "./lost-values.ts"
import { parquetParsers, parquetToJson, type ParquetReading } from "./parquet-value.ts"

export interface ParquetReader {
  readonly open: () => Promise<ParquetAnswer>
  /** Rows from `start` to before `end`. */
  readonly read: (start: number, end: number) => Promise<ParquetAnswer>
}

/** Reads a Parquet file; what is wrong with the file comes as an answer. */
export function createParquetReader(file: AsyncBuffer): ParquetReader {
  let metadata: FileMetaData | undefined
  let decimals: DecimalPlaces | undefined
  const codecs = parquetCodecs()

  async function open(): Promise<ParquetAnswer> {
    metadata = await parquetMetadataAsync(file, { parsers: parquetParsers })
    decimals = takeDecimals(metadata)
    const groups = metadata.row_groups.map((group) => ({
      rows: Number(group.num_rows),
      bytes: Number(group.total_byte_size),
    }))
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    if (rows === Number(metadata.num_rows) && groups.every((group) => group.rows >= 0))
      return { kind: "opened", groups }
    throw new ParquetFault(`its footer counts ${metadata.num_rows} rows, and its row groups ${rows}`)
  }

  async function read(rowStart: number, rowEnd: number): Promise<ParquetAnswer> {
    if (metadata === undefined) throw new ParquetFault("it was not opened")
    const objects = await parquetReadObjects({
      file,
      metadata,
      rowStart,
      rowEnd,
      compressors: codecs,
      parsers: parquetParsers,
      utf8: false,
      useOffsetIndex: true,
    })
    if (objects.length !== rowEnd - rowStart || objects.some(isAbsent)) {
      throw new ParquetFault(`its footer counts rows from ${rowStart} on that are not in its pages`)
    }
    const reading: ParquetReading = { decimals, hasExact: false, hasLost: false }
    const lost: RowLoss[] = []
    const rows = objects.map((row, index) => {
      reading.hasLost = false
      const read = rowOrFault(row, reading)
      if (reading.hasLost) lost.push({ index, values: listLostNumbers(row) })
      return read
    })
    return { kind: "rows", text: JSON.stringify(rows), hasExact: reading.hasExact, lost }
  }

  return { open: () => orFault(open), read: (start, end) => orFault(() => read(start, end)) }
}

async function orFault(work: () => Promise<ParquetAnswer>): Promise<ParquetAnswer> {
  try {
    return await work()
  } catch (error) {
    return { kind: "fault", fault: describeParquetFault(error) }
  }
}

/** Absent is not null here: it is what there is behind the end of the pages. */
function isAbsent(row: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(row)
  return values.length > 0 && values.every((value) => value === undefined)
}

/** A row is an object, so that a text in its place says what is wrong with it. */
function rowOrFault(row: unknown, reading: ParquetReading): unknown {
  try {
    return parquetToJson(row, reading)
  } catch (error) {
    return `has ${error instanceof ParquetFault ? error.message : "a value that can't be read"}`
  }
}
