import { built, type Requirement } from "./requirement.ts"

/** Evaluation jobs, and the conditions that explain why one failed. */
export const BRIEF_EVALUATION: readonly Requirement[] = [
  ...built("brief: States and transitions", {
    "brief.evaluation.status-running": "A job that runs is RUNNING.",
    "brief.evaluation.status-completed": "A finished job is COMPLETED, and its logs can be fetched.",
    "brief.evaluation.status-failed": "A failed job is FAILED, and its logs can be fetched.",
  }),
  ...built("brief: States and transitions", {
    "brief.evaluation.status-unavailable": "UNAVAILABLE tells of a problem with the job.",
  }),
  ...built("brief: Launch an evaluation job", {
    "brief.evaluation.launch": "POST /v1/evaluation/jobs with namespace, target and config launches a job.",
    "brief.evaluation.names": "`target` and `config` have the form `namespace/name`.",
    "brief.evaluation.checks":
      "A launch checks first that what it needs is available, such as the dataset and its files.",
    "brief.evaluation.skip-checks": "`skip_validation_checks=True` skips the checks.",
  }),
  ...built("brief: Download job results", {
    "brief.evaluation.download":
      "GET …/download-results answers a zip of the result folder: configuration, logs and results.",
    "brief.evaluation.download-accept": "The archive is answered to `accept: application/json` too.",
    "brief.evaluation.download-logs": "Log files are in the results folder and end in `.log`.",
    "brief.evaluation.download-statuses": "Results can be downloaded of COMPLETED and FAILED jobs.",
  }),
  ...built("brief: What the service does", {
    "brief.evaluation.dataset-by-url": "An evaluation reads its dataset from a datastore by URL.",
  }),
  ...built("brief: What the service does", {
    "brief.evaluation.endpoint": "An evaluation can ask an inference endpoint over HTTPS.",
    "brief.evaluation.judge": "A model can judge another model's output.",
  }),
  ...built("brief: Errors", {
    "brief.condition.gated": "A gated dataset or repository is told, with where to ask for access.",
    "brief.condition.judge-unreadable": "A judge's answers out of format are told, with the remedy of another judge.",
    "brief.condition.dataset-format":
      "A dataset without a good `files_url` is `Dataset {dataset} is not in the expected format; …`.",
    "brief.condition.files-url": "`files_url` names a file as `<scheme>://datasets/<namespace>/<namespace>/<path>`.",
    "brief.condition.inference-unreachable":
      "A target that can't be reached is `Error connecting to inference server`.",
    "brief.condition.inference-tls": "A certificate or DNS name that is not trusted is told as an inference SSL error.",
    "brief.condition.datastore":
      "A datastore that fails is `Error occurred while checking the existence of file {file_ref} on the datastore`.",
    "brief.condition.dataset-missing": "A file that is not there is `Dataset {file_ref} is not present on datastore`.",
    "brief.condition.launch-refused": "`Job cannot be launched` lists the checks that failed.",
  }),
]
