import { hash } from "node:crypto"
import { isLocalPlace, type JobEnvironment } from "@assay/evaluation"
import { isAssayError } from "@assay/schemas/errors"
import { mapDatasets } from "../file/map-datasets.ts"
import type { LocalJob } from "./local-job.ts"

/** A digest of everything that decides what is asked: target, configuration, and the local rows. */
export async function digestRun(
  { namespace, target, config }: LocalJob,
  environment: Pick<JobEnvironment, "openDataset">,
  signal: AbortSignal,
): Promise<string> {
  const rows: unknown[] = []
  for (const place of localDatasets({ target, config })) {
    rows.push(await digestsOf(place, environment, signal))
  }
  return hash("sha256", JSON.stringify({ namespace, target, config, rows }))
}

/** Every place on this machine that a job reads rows from, once. */
export function localDatasets(job: Partial<Pick<LocalJob, "target" | "config">>): readonly string[] {
  const places = new Set<string>()
  mapDatasets(job, (filesUrl) => {
    if (isLocalPlace(filesUrl)) places.add(filesUrl)
    return filesUrl
  })
  return [...places]
}

async function digestsOf(
  place: string,
  environment: Pick<JobEnvironment, "openDataset">,
  signal: AbortSignal,
): Promise<readonly (string | null)[]> {
  try {
    const { pin } = await environment.openDataset(place, { signal })
    return pin.files.map(({ sha256 }) => sha256)
  } catch (error) {
    // The launch checks tell what is wrong with it, together with everything else.
    if (!isAssayError(error)) throw error
    return []
  }
}
