import { checkMessage } from "./check-message.ts";
import { compareJobs } from "./compare-jobs.ts";
import { explainJob } from "./explain-job.ts";
import { jobStatus } from "./job-status.ts";
import { launchEvaluation } from "./launch-evaluation.ts";
import { listFailingRows } from "./list-failing-rows.ts";
import { listFiles } from "./list-files.ts";
import { listFilesets } from "./list-filesets.ts";
import { listJobs } from "./list-jobs.ts";
import { readRows } from "./read-rows.ts";
import { validateDataset } from "./validate-dataset.ts";
/** All tools, in the order in which an evaluation uses them. */
export const TOOLS = [
    listFilesets,
    listFiles,
    readRows,
    validateDataset,
    launchEvaluation,
    listJobs,
    jobStatus,
    explainJob,
    listFailingRows,
    compareJobs,
    checkMessage,
];
