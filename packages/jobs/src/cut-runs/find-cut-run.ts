import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { isAssayError } from "@assay/schemas/errors"
import { type CutRunPorts, isSameLocally } from "./local-processes.ts"
import type { SameJobOptions } from "./same-job.ts"
import { findPlan } from "./shard-plan.ts"
import { openRunFolder, type RunStore } from "./store/run-store.ts"

/** Runs that are looked at, the newest first. */
const MAX_RUNS = 1000

/**
 * Finds the newest run below a folder that was cut from a job and that is not merged. Undefined if there is none.
 * @param dataFolder absolute path
 */
export async function findCutRun(
  ports: CutRunPorts,
  dataFolder: string,
  options: Omit<SameJobOptions, "environment"> & { readonly folder: string },
): Promise<RunStore | undefined> {
  const names = await readdir(dataFolder).catch(() => [])
  // Names end with the time of the run. Runs of several files are in one folder, so the plan has the time to compare.
  const found: { readonly store: RunStore; readonly at: number }[] = []
  for (const name of names.toSorted((a, b) => (a < b ? -1 : 1)).slice(-MAX_RUNS)) {
    const folder = join(dataFolder, name)
    if (!existsSync(join(folder, "plan.json")) || existsSync(join(folder, "merged.json"))) continue
    const store = await openRunFolder(folder, ports.randomBytes)
    const plan = await findPlan(store).catch((error: unknown) => {
      // A run of another version does not hide the others.
      if (isAssayError(error)) return undefined
      throw error
    })
    if (plan !== undefined && (await isSameLocally(ports, plan, options))) found.push({ store, at: plan.created_at })
  }
  return found.toSorted((a, b) => b.at - a.at)[0]?.store
}
