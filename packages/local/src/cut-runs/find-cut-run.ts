import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { isAssayError } from "@assay/schemas/errors"
import { type CutRunPorts, isSameLocally } from "./local-processes.ts"
import type { SameJobOptions } from "./same-job.ts"
import { findPlan, type ShardPlan, openRunFolder, type RunStore } from "@assay/executors"

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
  const found: { readonly store: RunStore; readonly plan: ShardPlan }[] = []
  for (const name of names.toSorted(compareTimes).slice(-MAX_RUNS)) {
    const folder = join(dataFolder, name)
    if (!existsSync(join(folder, "plan.json")) || existsSync(join(folder, "merged.json"))) continue
    const store = await openRunFolder(folder, ports.randomBytes)
    const plan = await findPlan(store).catch((error: unknown) => {
      // A run of another version does not hide the others.
      if (isAssayError(error)) return undefined
      throw error
    })
    if (plan !== undefined) found.push({ store, plan })
  }
  for (const { store, plan } of found.toSorted((a, b) => b.plan.created_at - a.plan.created_at)) {
    // Reads the data of the job.
    if (await isSameLocally(ports, plan, options)) return store
  }
  return undefined
}

/** Compares the times with which names of runs end, such as `20261120-174012` of `capitals-20261120-174012-2`. */
function compareTimes(a: string, b: string): number {
  const timeOf = (name: string) => /-(\d{8}-\d{6})(?:-\d+)?$/.exec(name)?.[1] ?? ""
  return timeOf(a) < timeOf(b) ? -1 : 1
}
