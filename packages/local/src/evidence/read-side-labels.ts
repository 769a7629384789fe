import { dirname } from "node:path"
import type { SideInput } from "@assay/evidence"
import { filesetLabels } from "@assay/evaluation"
import { labelledMetrics } from "@assay/results"
import { isAssayError, isLocalPath } from "@assay/schemas"
import { localLabelFiles } from "../labels/local-label-files.ts"
import type { LocalPorts } from "../local-environment.ts"
import { runRecord } from "../runs/list-runs.ts"

/** The sources of the labels of results. */
export interface LabelSources extends Pick<LocalPorts, "filesets" | "home"> {
  /** The folder that paths are relative to if the results do not say where their file was. */
  readonly cwd: string
  readonly signal: AbortSignal
}

type SideLabels = NonNullable<SideInput["labels"]>[number]

/**
 * Reads the labels of people that the metrics of results name, by which their means were corrected. Labels that are out of reach by now are left out: their corrections
 * are taken as they are.
 */
export async function readSideLabels(
  context: LabelSources,
  { job, folder }: { readonly job: SideInput["job"]; readonly folder: string },
): Promise<readonly SideLabels[]> {
  const found: SideLabels[] = []
  for (const reference of new Set(labelledMetrics(job.config).map(({ labels }) => labels))) {
    try {
      found.push({ reference, ...(await readLabels(context, reference, { job, folder })) })
    } catch (error) {
      context.signal.throwIfAborted()
      if (!isAssayError(error)) throw error
    }
  }
  return found
}

async function readLabels(
  context: LabelSources,
  reference: string,
  { job: { namespace }, folder }: Parameters<typeof readSideLabels>[1],
): ReturnType<typeof localLabelFiles.read> {
  if (isLocalPath(reference)) {
    // Paths are relative to the file of the run.
    const record = await runRecord.read(folder)
    const base = record?.file == null ? context.cwd : dirname(record.file)
    return localLabelFiles.read(reference, { folder: base, home: context.home })
  }
  const location = filesetLabels.parseReference(reference, namespace)
  return filesetLabels.read(location, context.filesets, context.signal)
}
