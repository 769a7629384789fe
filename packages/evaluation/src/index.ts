export type { Journal } from "./engine/journal.ts"
export type { DatasetOptions, EvaluationWorld, OpenedDataset } from "./evaluation-world.ts"
export type { JobLogLine, JobProgress, RunOutcome, TaskStatus } from "./jobs/job-progress.ts"
export type { JobScope, RunnableJob } from "./jobs/runnable-job.ts"
