import { createJobs } from "./create-jobs.ts"
import { createJobWatches } from "./job-watches.ts"
import type { JobsContext } from "./jobs-context.ts"
import { createJobsOfWorkspace, type JobsOfWorkspace } from "./jobs-of-workspace.ts"
import type { Jobs } from "./jobs.ts"
import { freeJobs } from "./lost-jobs.ts"
import { createWebhookEvents, type WebhookEvents } from "./webhook-events.ts"

/** All jobs of one database. */
export interface JobStore {
  readonly jobs: Jobs
  /** The ends of jobs that webhooks report. */
  readonly webhookEvents: WebhookEvents
  /** For the removal of a workspace with its jobs. */
  readonly ofWorkspace: JobsOfWorkspace
  /** Ends all leases. For a database that no other server uses. */
  freeLeases(): Promise<void>
  /** Ends the watches of jobs. The database stays open. */
  close(): Promise<void>
}

export function openJobStore(context: JobsContext): JobStore {
  const watches = createJobWatches(context.database)
  return {
    jobs: createJobs(context, watches),
    webhookEvents: createWebhookEvents(context),
    ofWorkspace: createJobsOfWorkspace(context),
    freeLeases: () => freeJobs(context),
    close: () => watches.close(),
  }
}
