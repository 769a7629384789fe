import { parseFilePath } from "@assay/storage"
import { readJson, type RunStore } from "./run-store.ts"

/** The record of the end of a merge. */
export const MERGED = parseFilePath("merged.json")

/** The record `merged.json` of a run. */
export interface MergedRecord {
  readonly status: string
  readonly message: string
}

/** Reads how a run was merged. Undefined: it is not yet. */
export async function readMergedRecord(store: RunStore): Promise<MergedRecord | undefined> {
  return (await readJson(store, MERGED)) as MergedRecord | undefined
}
