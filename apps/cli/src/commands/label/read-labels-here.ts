import { resolve } from "node:path"
import { readLocalLabels } from "@assay/jobs"
import { labelStore } from "@assay/results"
import type { Context } from "../../context.ts"
import { LABELS_HERE } from "./open-labels.ts"

/**
 * Reads labels of this machine: those of a file or a folder that the user named, or of `labels.jsonl`, which may be missing.
 * @throws `dataset_missing` for a named file that is not there
 */
export async function readLabelsHere(
  { cwd, home }: Pick<Context, "cwd" | "home">,
  labels: string | undefined,
): ReturnType<typeof readLocalLabels> {
  if (labels !== undefined) return readLocalLabels(labels, { folder: cwd, home })
  return { name: LABELS_HERE, rows: await labelStore.ofFile(resolve(cwd, LABELS_HERE), LABELS_HERE).read() }
}
