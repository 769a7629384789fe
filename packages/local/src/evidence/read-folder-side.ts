import type { SideInput } from "@assay/evidence"
import { resultsFolder } from "../runs/results-folder.ts"
import { type LabelSources, readSideLabels } from "./read-side-labels.ts"

/** The results in a folder, and what they were compared with. */
export interface FolderSide {
  readonly input: SideInput
  readonly decisions: Awaited<ReturnType<typeof resultsFolder.decisions.read>>
  /** Absolute path of the folder that paths of the job are relative to. */
  readonly folder: string
}

/** Reads the results in a folder. `name` is the folder as messages show it. @throws `not_found`, `bad_document` */
export async function readFolderSide(sources: LabelSources, folder: string, name: string): Promise<FolderSide> {
  const { job, result, rows } = await resultsFolder.read(folder, name)
  const environment = await resultsFolder.readEnvironment(folder, name)
  return {
    input: { name, job, result, environment, rows, labels: await readSideLabels(sources, { job, folder }) },
    decisions: await resultsFolder.decisions.read(folder),
    folder,
  }
}
