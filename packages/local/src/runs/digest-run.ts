import { hash } from "node:crypto"
import type { JobEnvironment } from "@assay/evaluation"
import { isAssayError } from "@assay/schemas/errors"
import type { LaunchSubject } from "@assay/attempts"
import { localDatasets } from "../dataset-paths.ts"

/** Computes a digest of everything that decides what models are asked: target, configuration and local rows. */
export async function digestRun(job: LaunchSubject, environment: JobEnvironment, signal: AbortSignal): Promise<string> {
  const { namespace, target, config } = job
  const rows: unknown[] = []
  for (const path of localDatasets({ target, config })) rows.push(await digestsOf(path, environment, signal))
  return hash("sha256", JSON.stringify({ namespace, target, config, rows }))
}

async function digestsOf(
  path: string,
  environment: JobEnvironment,
  signal: AbortSignal,
): Promise<readonly (string | null)[]> {
  try {
    const { pin } = await environment.openDataset(path, { signal })
    return pin.files.map(({ sha256 }) => sha256)
  } catch (error) {
    // The launch checks report the fault, together with all others.
    if (!isAssayError(error)) throw error
    return []
  }
}
