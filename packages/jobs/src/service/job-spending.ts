import { type JobEnvironment, openWorkspaceSpending } from "@assay/evaluation"
import type { JobHost } from "../launch/job-host.ts"

/** An environment whose requests are counted for its workspace. */
export interface SpendingEnvironment {
  readonly environment: JobEnvironment
  /** Records the rest of the usage. */
  close(): Promise<void>
}

/** Counts the requests of a job, its judges included, and lets the budget of its workspace end it. */
export function openJobSpending(
  { registry: { budgets } }: Pick<JobHost, "registry">,
  environment: JobEnvironment,
  workspace: string,
): SpendingEnvironment {
  const { inference, prices, now, sleep, outages } = environment
  const spending = openWorkspaceSpending({ workspace, budgets, prices, now, sleep, outages })
  return {
    environment: { ...environment, spending, inference: { ...inference, meter: spending.meter } },
    close: () => spending.close(),
  }
}
