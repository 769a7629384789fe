import { dirname } from "node:path"
import type { SideInput } from "@assay/evidence"
import { filesetLabels } from "@assay/evaluation"
import { localLabelFiles, runRecord } from "@assay/local"
import { labelledMetrics } from "@assay/results"
import { isLocalPath } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { filesetsOfServer } from "../../fileset-of-server.ts"

type SideLabels = NonNullable<SideInput["labels"]>[number]

/**
 * Reads the labels of people that the metrics of results name, by which their means were corrected. Labels that are out of reach by now are left out: their corrections
 * are taken as they are.
 */
export async function readSideLabels(
  context: Context,
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
  context: Context,
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
  return filesetLabels.read(location, filesetsOfServer(context), context.signal)
}
