import { profileRows, rowFormatOf } from "@assay/contents"
import type { RowProfile } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import type { Context } from "../../context.ts"
import { createProgressLine } from "@assay/reports/terminal"
import { formatRowProfile, formatRowsProgress } from "@assay/reports/terminal/rows"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { checkHasRows, openRowSource, type RowSource } from "./open-row-source.ts"
import type { MetadataOptions } from "./read-dataset-metadata.ts"

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
