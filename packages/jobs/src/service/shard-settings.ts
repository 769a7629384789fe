import { join } from "node:path"
import { createFolder } from "@assay/storage"
import type { WorkerOptions } from "../shards/worker-state.ts"
import { createHostEnvironment } from "../launch/host-environment.ts"
import { jobFolder, removeFolderOfJob } from "./job-folders.ts"
import { rightsOfGrants } from "../rights/job-rights.ts"
import { openJobSpending } from "./job-spending.ts"
import type { JobSettingsContext } from "./job-settings.ts"

/** Returns a function that opens the environment of a job for a worker that runs shards of it. */
export function createShardSettings(context: JobSettingsContext): WorkerOptions["openSetting"] {
  const { folder } = context
  return async ({ job, attempt }, outages) => {
    const { id, namespace: workspace, config, created_at: createdAt } = job
    // Not the folder of the job, which its runner removes, perhaps in this process. A left one is removed like that of a job that is gone.
    const name = `${id}-shards`
    const workFolder = jobFolder(folder, name)
    await createFolder(workFolder, { mode: 0o700, durable: false })
    const environment = await createHostEnvironment(context, {
      workspace,
      job: id,
      rights: rightsOfGrants(attempt.grants),
      workFolder,
      responseCacheFolder: join(folder, "answers", workspace),
      outages,
      recordingOf: config,
      launchedAt: Date.parse(createdAt),
    })
    const spent = openJobSpending(context, environment, workspace)
    return {
      environment: spent.environment,
      async close() {
        await spent.close()
        await removeFolderOfJob(folder, name)
      },
    }
  }
}
