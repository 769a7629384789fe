import { profileRows, rowFormatOf } from "@assay/contents"
import type { RowProfile } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { createProgressLine } from "../../output/progress-line.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { checkHasRows } from "./check-has-rows.ts"
import { countReads } from "./count-reads.ts"
import { formatRowProfile } from "./format-row-profile.ts"
import { formatRowsProgress } from "./format-rows-progress.ts"
import { openRowSource, type RowSource } from "./open-row-source.ts"
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
    // The directory of a Parquet file is read beside its rows.
    bytesDone = Math.min(bytes, bytesDone + count)
    line.show({ bytes, bytesDone })
  })
  try {
    return await profileRows({ storage, path, metadata, signal })
  } finally {
    line.clear()
  }
}

/** Bytes of all files with rows. */
async function countBytes({ storage, path }: RowSource, signal: AbortSignal): Promise<number> {
  let bytes = 0
  for await (const file of storage.list({ ...(path === undefined ? {} : { prefix: path }), signal })) {
    if (rowFormatOf(file.path) !== undefined) bytes += file.size
  }
  return bytes
}
