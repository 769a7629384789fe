import { profileRows, rowFormatOf } from "@assay/contents"
import type { ProfileColumn, RowProfile } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import type { Context } from "../../context.ts"
import { formatTable, type Layout } from "@assay/reports/terminal"
import { createProgressLine } from "../../output/progress-line.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { checkHasRows, openRowSource, type RowSource } from "./open-row-source.ts"
import type { MetadataOptions } from "./read-dataset-metadata.ts"
import { formatRowsProgress } from "./rows-progress.ts"

const SHOWN_VALUES = 3
const MAX_CHARACTERS = 24

export interface ProfileOptions extends MetadataOptions, JsonOption {}

/** `assay dataset profile <dataset>` */
export async function profileDataset(context: Context, dataset: string, options: ProfileOptions): Promise<void> {
  const source = await openRowSource(context, dataset, options)
  const profile = await (source.served?.profile() ?? profileHere(context, source))
  checkHasRows(profile.files, dataset)
  await print(context, options, profile, (_result, layout) => formatRowProfile(profile, source.nameOf, layout))
}

async function profileHere(context: Context, source: RowSource): Promise<RowProfile> {
  const { signal } = context
  const { path, metadata } = source
  const bytes = await countBytes(source, signal)
  const line = createProgressLine(context, formatRowsProgress)
  let bytesDone = 0
  const storage = countReads(source.storage, (count) => {
    // Parquet files are read twice in part: once for their metadata. Never show more than 100 %.
    bytesDone = Math.min(bytes, bytesDone + count)
    line.show({ bytes, bytesDone })
  })
  try {
    return await profileRows({ storage, path, metadata, signal })
  } finally {
    line.clear()
  }
}

/** Returns the size of all files with rows, in bytes. */
async function countBytes({ storage, path }: RowSource, signal: AbortSignal): Promise<number> {
  let bytes = 0
  for await (const file of storage.list({ ...(path === undefined ? {} : { prefix: path }), signal })) {
    if (rowFormatOf(file.path) !== undefined) bytes += file.size
  }
  return bytes
}

/** Returns a storage that reports the number of bytes as they are read. */
function countReads(storage: Storage, onBytes: (count: number) => void): Storage {
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of bytes) {
      // Count first: the reader may transfer the memory of the piece.
      onBytes(piece.length)
      yield piece
    }
  }
  return {
    ...storage,
    async read(path, options) {
      const result = await storage.read(path, options)
      return { ...result, bytes: counted(result.bytes) }
    },
  }
}

/** Formats rows per file, then one line per column. */
function formatRowProfile(
  { files, columns, columns_truncated }: RowProfile,
  nameOf: (path: string) => string,
  layout: Layout = {},
): string {
  const table = formatTable(files, [
    { heading: "FILE", value: ({ path }) => nameOf(path) },
    { heading: "ROWS", value: ({ rows }) => count(rows), align: "right" },
    { heading: "UNREADABLE", value: ({ unreadable }) => count(unreadable), align: "right" },
  ])
  const details = formatTable(
    columns,
    [
      { heading: "COLUMN", value: ({ pointer }) => (pointer === "" ? "(row)" : pointer) },
      { heading: "TYPES", value: formatTypes },
      { heading: "MISSING", value: ({ missing }) => count(missing), align: "right" },
      { heading: "DISTINCT", value: formatDistinct, align: "right" },
      { heading: "RANGE", value: formatRange },
      { heading: "LENGTH", value: formatLengths },
      { heading: "MAX FREQUENT", value: formatTop },
    ],
    layout,
  )
  const more = columns_truncated ? "\nmore columns are not shown\n" : ""
  return `${table}\n${details}${more}`
}

function formatTypes({ types }: ProfileColumn): string {
  const found = Object.entries(types)
  const [only] = found
  if (found.length === 1 && only !== undefined) return only[0]
  return found.map(([type, times]) => `${type} ${count(times)}`).join(", ")
}

function formatDistinct({ distinct, estimated }: ProfileColumn): string {
  return `${estimated ? "~" : ""}${count(distinct)}`
}

function formatRange({ min, max }: ProfileColumn): string {
  return min === null || max === null ? "" : `${short(min)} to ${short(max)}`
}

function formatLengths({ lengths }: ProfileColumn): string {
  return lengths === null ? "" : `${count(lengths.min)} to ${count(lengths.max)}, mean ${short(lengths.mean)}`
}

function formatTop({ top, estimated }: ProfileColumn): string {
  return top
    .slice(0, SHOWN_VALUES)
    .map(({ value, count: times }) => `${shortened(JSON.stringify(value))} ${estimated ? "~" : ""}${count(times)}`)
    .join(", ")
}

function shortened(text: string): string {
  const characters = Array.from(text)
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…`
}

/** Formats a number with at most four significant digits; `--json` has all of them. */
function short(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString("en-US") : String(Number(value.toPrecision(4)))
}

function count(value: number): string {
  return value.toLocaleString("en-US")
}
