import type { ColumnMetaData, FileMetaData, PageHeader, SchemaElement } from "hyparquet"
import { ByteWriter } from "hyparquet-writer"
import { writePageHeader } from "hyparquet-writer/src/datapage.js"
import { writeMetadata } from "hyparquet-writer/src/metadata.js"

export interface MadeParquet {
  readonly rows: number
  /** Its name and type. The column is optional. */
  readonly column?: Partial<SchemaElement> & { readonly type: ColumnMetaData["type"] }
  readonly codec?: ColumnMetaData["codec"]
  /** Number of columns, all with the same pages. Default 1. */
  readonly columns?: number
  readonly pages: readonly { readonly header: Omit<PageHeader, "compressed_page_size">; readonly bytes: Uint8Array }[]
}

/** Writes a Parquet file with exactly the given pages, even if their headers are wrong. */
export function makeParquet({ rows, column, codec = "UNCOMPRESSED", columns = 1, pages }: MadeParquet): Uint8Array {
  const writer = new ByteWriter()
  writer.appendBytes(Buffer.from("PAR1"))
  for (const { header, bytes } of pages) {
    writePageHeader(writer, { ...header, compressed_page_size: bytes.length })
    writer.appendBytes(bytes)
  }
  const size = BigInt(writer.offset - 4)
  const names = column === undefined ? [] : Array.from({ length: columns }, (_, index) => `c${index}`)
  const type = column?.type ?? "INT32"
  const metadata: FileMetaData = {
    version: 2,
    schema: [
      { name: "root", num_children: names.length },
      ...names.map((name): SchemaElement => ({ repetition_type: "OPTIONAL", ...column, name })),
    ],
    num_rows: BigInt(rows),
    row_groups: [
      {
        num_rows: BigInt(rows),
        total_byte_size: size,
        columns: names.map((name) => ({
          file_offset: 0n,
          meta_data: {
            type,
            encodings: ["PLAIN"],
            path_in_schema: [name],
            codec,
            num_values: BigInt(rows),
            total_uncompressed_size: size,
            total_compressed_size: size,
            data_page_offset: 4n,
          },
        })),
      },
    ],
    metadata_length: 0,
  }
  const start = writer.offset
  writeMetadata(writer, metadata)
  writer.appendUint32(writer.offset - start)
  writer.appendBytes(Buffer.from("PAR1"))
  return new Uint8Array(writer.getBuffer())
}
