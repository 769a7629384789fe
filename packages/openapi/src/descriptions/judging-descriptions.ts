/** Operations of guardrails and evaluations in one or two sentences, by id. Routes with more to say describe themselves. */
export const JUDGING_DESCRIPTIONS: Readonly<Record<string, string>> = {
  listGuardrails: "The configurations of a workspace, a page at a time.",
  getGuardrail: "Returns the configuration as it was written. Keys are names of secrets.",
  updateGuardrail: "A given key replaces its whole value. Requests that begin later use it.",
  listAskableModels: "In the form of OpenAI's API, for clients that list models before they ask one.",
  getAskableModel: "In the form of OpenAI's API. 404 for a model that the configuration does not name.",
  listGuardrailModels: "The model of `main` of a configuration, then those that its endpoint lists.",
  getGuardrailModel: "404 for a model that the endpoint of the configuration does not list.",
  listGuardrailModelsV1: "For clients of the first version, which name no workspace.",
  getGuardrailModelV1: "For clients of the first version, which name no workspace.",
  deleteGuardrail: "Returns the configuration that was deleted.",
  listDefaultAskableModels: "The same as the address of the configuration `default` in the workspace `default`.",
  getDefaultAskableModel: "The same as the address of the configuration `default` in the workspace `default`.",
  listGuardrailsV1: "For clients of the first version, in their form.",
  getGuardrailV1: "For clients of the first version, in their form.",
  updateGuardrailV1: "For clients of the first version: a given key replaces its whole value.",
  getDefaultGuardrailV1: "For clients of the first version, which name the namespace `default` in the path.",
  updateDefaultGuardrailV1: "For clients of the first version, which name the namespace `default` in the path.",
  deleteGuardrailV1: "For clients of the first version. Returns the configuration that was deleted.",
  deleteDefaultGuardrailV1: "For clients of the first version, which name the namespace `default` in the path.",

  createTarget:
    "A target is what is evaluated: a model, a guardrail, existing outputs or rows. Jobs name it as `namespace/name`.",
  listTargets: "`filter[field]=value` compares, and `search[field]=text` looks for a part.",
  getTarget: "Returns the stored target. Keys are names of secrets.",
  updateTarget: "A given key replaces its whole value.",
  createConfig:
    "A configuration is how a target is asked and scored: tasks, datasets, metrics and gates. Jobs name it as `namespace/name`.",
  listConfigs: "`filter[field]=value` compares, and `search[field]=text` looks for a part.",
  getConfig: "Returns the stored configuration.",
  updateConfig: "A given key replaces its whole value.",
  evaluateLive:
    "For tries in an editor: inline rows only, and the answer has the result and the log. Asks the model within the request.",
  createJob:
    "`target` and `config` are bodies, or `namespace/name` of stored ones. Every failed check is listed in `failed_checks` with its remedy; `skip_validation_checks=true` skips the checks. The job runs in the background.",
  checkJob:
    "Takes the body of a launch. The answer lists failures and warnings, and estimates requests, tokens, cost, time and precision. `plan=true` asks no model and writes nothing.",
  listJobs:
    "`filter[status]=RUNNING` and `filter[namespace]=default` compare, and `search[description]=text` looks for a part.",
  getJob: "The record of the job: status, conditions, the files that it has read, and where results are.",
  updateJob: "A given key replaces its whole value. Its requests and results do not change.",
  getJobStatus: "A small answer for clients that ask often. `events` sends the same without being asked.",
  getJobStatusDetails: "For clients of the first version, which ask for it under this name.",
  followJob:
    "Events are `progress`, `log`, `condition` and `status`, each with an id. The stream ends with the final status.",
  getJobResult: "Every score of every task with statistics, intervals and slices. 404 while there is no result.",
  listJobRows:
    "Rows with answers, scores and errors, filtered and sorted by any score. `against` adds the same rows of another job.",
  getJobRow: "Requests and whole answers of the target and of judges, for each repeat and attempt.",
  listJobShards: "Empty for a job that is not cut into shards.",
  getShardLog: "Text, as the processes have written it.",
  getScoreDistribution:
    "Mean, percentiles, histogram and interval over the rows that match the filters, also while the job runs.",
  addLabels: "Labels are kept in a fileset of the workspace, with who said what.",
  listLabels: "Labels of all people, each with its row.",
  drawRowsToLabel: "The same seed draws the same rows in the same order, so that several people can share the work.",
  reportLabels:
    "Agreement of the judge with people, and its mean corrected by them, with an interval that covers both errors.",
  downloadJobResults: "The archive has the configuration, `results.json`, `rows.jsonl` and the report as HTML.",
  getJobLogs: "`format=text` returns text, `tail` its last lines, and `follow=true` new lines until the job has ended.",
  explainJob: "What happened in one or two sentences, and for each condition the evidence from logs and answers.",
  listEndpointModels:
    "Asks the endpoint itself, by the rules for secrets and hosts that jobs have. At most 1,000 names, as the endpoint lists them.",
  exchangePace:
    "Processes that ask the same endpoint share its rate: each reports status codes, and gets turns in the order of asking.",
  listBaselines: "Names for jobs that others are compared with, each with the job that it points to.",
  setBaseline: "The history keeps the jobs before.",
  getBaseline: "The job that the name points to, and those before, with the times of the changes.",
  deleteBaseline: "Removes the name and its history.",
  getJobTrend:
    "Scores with their intervals, cost, duration and failures of the jobs of a workspace that have ended, the oldest first, by the commit of their custom field `commit` if they have one. Filters choose a configuration, a dataset, a name or a baseline.",
  getLeaderboard:
    "The latest completed job of each model and description over a dataset, the best first, with its interval and a group: jobs that share a letter are not told apart by paired tests with Holm's levels.",
  compareJobs:
    "Differences over the rows of both with paired intervals, and a verdict: PASS, INCONCLUSIVE or FAIL against `margin`. With `corrected`, scores of judges are decided by what people would see.",
  drawPairsToLabel:
    "Rows of both jobs in the order of a draw, and what the labels so far decide. Labelling may end as soon as `is_decided` is true.",
  compareJobRows: "One score of two jobs, row by row, with both answers. Filters are about the rows of the second job.",
  cancelJob:
    "Returns at once; the status becomes CANCELLING, then CANCELLED. Rows that are answered keep their answers.",
  resumeJob: "409 if every row was asked. The job gets the status PENDING, and continues with its former answers.",
  retryFailedRows: "The job gets the status PENDING. Rows that have an answer are not asked again.",
  scoreJob:
    "The body has metrics by task. They are computed from the stored answers, and judges are asked where a metric needs one.",
  rescoreJob:
    "The new job has the id of this one as `rescored_from`. Its tasks have the outputs of the tasks with their names. Judges are asked, the target is not.",
  deleteJob:
    "409 while it runs, or if a baseline points to it. The header `x-assay-restorable-until` says until when the trash keeps it; without it, the job is deleted for good.",
  deleteTarget: "Jobs that were launched with it keep their copy. Returns what was deleted.",
  deleteConfig: "Jobs that were launched with it keep their copy. Returns what was deleted.",
}
