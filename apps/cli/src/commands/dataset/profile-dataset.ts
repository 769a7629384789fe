import { profileRows } from "@assay/contents"
import type { Context } from "../../context.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { checkHasRows } from "./check-has-rows.ts"
import { formatRowProfile } from "./format-row-profile.ts"
import { openRowSource } from "./open-row-source.ts"
import type { MetadataOptions } from "./read-dataset-metadata.ts"

export interface ProfileOptions extends MetadataOptions, JsonOption {}

/** `assay dataset profile <dataset>` */
export async function profileDataset(context: Context, dataset: string, options: ProfileOptions): Promise<void> {
  const { storage, path, metadata, nameOf, served } = await openRowSource(context, dataset, options)
  const profile = await (served?.profile() ?? profileRows({ storage, path, metadata, signal: context.signal }))
  checkHasRows(profile.files, dataset)
  await print(context, options, profile, () => formatRowProfile(profile, nameOf))
}
