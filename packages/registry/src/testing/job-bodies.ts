import type { CreateJob } from "@assay/job-store"

/** A job that needs no model. */
export const JOB: CreateJob = {
  namespace: "default",
  target: { type: "rows", name: "given", rows: [{ output: "a" }] },
  config: { type: "custom", name: "checks", namespace: "system", tasks: { t: { type: "data" } } },
}
