import { resolve } from "node:path"
import { localLabelFiles } from "@assay/local"
import { labelStore } from "@assay/results"
import { isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { LABELS_HERE } from "./open-labels.ts"

export interface LabelsHere {
  /** A file, or a folder with `labels.jsonl`. Default: `labels.jsonl`, which may be missing. */
  readonly labels: string | undefined
  /** Whether there are no labels if a named file is missing: those that are asked for will create it. Default false. */
  readonly mayBeMissing?: boolean
}

/** Reads labels of this machine. @throws `dataset_missing` for a named file that is not there */
export async function readLabelsHere(
  { cwd, home }: Pick<Context, "cwd" | "home">,
  { labels, mayBeMissing = false }: LabelsHere,
): ReturnType<typeof localLabelFiles.read> {
  if (labels === undefined) {
    return { name: LABELS_HERE, rows: await labelStore.ofFile(resolve(cwd, LABELS_HERE), LABELS_HERE).read() }
  }
  return localLabelFiles.read(labels, { folder: cwd, home }).catch((error: unknown) => {
    if (mayBeMissing && isAssayError(error, "dataset_missing")) return { name: labels, rows: [] }
    throw error
  })
}
