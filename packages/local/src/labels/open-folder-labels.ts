import { join } from "node:path"
import { labelDesk, type labelStore } from "@assay/results"
import { readStoredJob } from "../runs/results-folder.ts"

/** Opens labels for the results in a folder, and reads all rows once. @param name the folder as the user wrote it. @throws `bad_usage` without results */
export async function openFolderLabels(
  folder: string,
  name: string,
  store: ReturnType<typeof labelStore.ofFile>,
): ReturnType<typeof labelDesk.ofFile> {
  const { id, config } = await readStoredJob(folder, name)
  return labelDesk.ofFile({ id, config, path: join(folder, "results", "rows.jsonl") }, store)
}
