import { profileRows, type ProfileProgress } from "@assay/contents"
import { createProgressLine, formatRowProfile, formatRowsProgress } from "@assay/reports/terminal"
import type { RowProfile } from "@assay/schemas"
import type { Context } from "../../context.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { checkHasRows, openRowSource, type MetadataOptions, type RowSource } from "./open-row-source.ts"

export interface ProfileOptions extends MetadataOptions, JsonOption {}

/** Runs `assay dataset profile <dataset>`. */
export async function profileDataset(context: Context, dataset: string, options: ProfileOptions): Promise<void> {
  const source = await openRowSource(context, dataset, options)
  const profile = await (source.served?.profile() ?? profileHere(context, source))
  checkHasRows(profile.files, dataset)
  await print(context, options, profile, (_result, layout) => formatRowProfile(profile, source.nameOf, layout))
}

async function profileHere(context: Context, { storage, path, metadata }: RowSource): Promise<RowProfile> {
  const line = createProgressLine(context, formatRowsProgress)
  const onProgress = (progress: ProfileProgress) => line.show(progress)
  try {
    return await profileRows({ storage, path, metadata, signal: context.signal, onProgress })
  } finally {
    line.clear()
  }
}
