import type { ConditionEntry, ErrorEntry } from "./error-entry.ts"

/** Errors of evaluation jobs, besides those of endpoints and judges. */
export const EVALUATION_ERRORS = {
  launch_refused: {
    status: 400,
    title: "Job cannot be launched",
    meaning: "A check before the launch failed; no job was created.",
    remedy: "Follow the remedy of each of `failed_checks`; `skip_validation_checks=True` skips all checks.",
    retry: "never",
  },
  dataset_format: {
    status: 400,
    title: "Dataset is not in the expected format",
    meaning: "The dataset is not an object with a well-formed `files_url`.",
    remedy: "Write `files_url` as `<scheme>://datasets/<namespace>/<name>/<path>` with the scheme `hf` or `assay`.",
    retry: "never",
  },
  dataset_missing: {
    status: 400,
    title: "Dataset is not present on datastore",
    meaning: "The datastore answers, but the fileset or file does not exist.",
    remedy: "Check namespace, name and path: `assay fileset list` and `assay ls FILESET` show what exists.",
    retry: "never",
  },
  datastore_unreachable: {
    status: 502,
    title: "Error while checking the existence of a file on the datastore",
    meaning: "The storage behind the dataset does not answer.",
    remedy: "Check that the storage of the fileset answers: `assay doctor` tries each storage.",
    retry: "later",
  },
  gated_dataset: {
    status: 502,
    title: "Gated dataset",
    meaning: "The dataset is gated on the hub, and the account has no access to it.",
    remedy:
      "Request access on the dataset's page of the hub, then set `token_secret` to a token of an account with access.",
    retry: "never",
  },
  gated_repository: {
    status: 502,
    title: "Gated repository",
    meaning: "A model or tokenizer is gated on the hub, and the account has no access to it.",
    remedy:
      "Request access on the repository's page of the hub, then set `token_secret` to a token of an account with access.",
    retry: "never",
  },
  hub_not_found: {
    status: 502,
    title: "Not found on the hub",
    meaning: "The repository, revision or file does not exist on the hub, or the hub hides it from this account.",
    remedy: "Check `repo_id`, `repo_type` and `revision`; a private repository needs a token.",
    retry: "never",
  },
  hub_disabled: {
    status: 502,
    title: "Disabled on the hub",
    meaning: "The hub has disabled access to this repository.",
    remedy: "Use another repository.",
    retry: "never",
  },
  rows_invalid: {
    status: 422,
    title: "Rows can't be read or lack a field",
    meaning: "Rows of the dataset can't be parsed, break their schema, or lack a field that a template reads.",
    remedy: "Correct what the message says about the rows: `assay dataset validate` lists every fault of them.",
    retry: "never",
  },
  answer_unusable: {
    status: 502,
    title: "Answers can't be scored",
    meaning:
      "The model's answer is too long or too deeply nested for a metric, or has no text; the row is well-formed.",
    remedy:
      "Read the answer in `rows.jsonl`; limit answers with `max_tokens`, or name the part to score as `candidate` of the metric.",
    retry: "never",
  },
  storage_auth: {
    status: 502,
    title: "The storage refuses the credentials",
    meaning: "The object store refuses the key, its signature or its rights.",
    remedy:
      "Check both secrets of the storage, the path style and the signature version, and that the key may read and list.",
    retry: "never",
  },
  storage_not_found: {
    status: 502,
    title: "Not found in the storage",
    meaning: "The bucket or key does not exist in the object store.",
    remedy: "Check bucket, prefix and path.",
    retry: "never",
  },
  storage_region: {
    status: 502,
    title: "Wrong region",
    meaning: "The bucket is not in the configured region.",
    remedy: "Set `region` to the one that the message names.",
    retry: "never",
  },
  storage_clock: {
    status: 502,
    title: "The clock is wrong",
    meaning: "The clock of this machine differs from the clock of the storage by more than the storage allows.",
    remedy: "Set the clock of this machine.",
    retry: "never",
  },
  storage_incompatible: {
    status: 502,
    title: "The storage does not support an operation",
    meaning: "The object store does not support an operation that was requested.",
    remedy: "Use a compatible store, or turn default checksums off.",
    retry: "never",
  },
  runner_lost: {
    status: 500,
    title: "The runner was lost",
    meaning:
      "Two runners in a row died or stopped reporting while they ran the job, and no row was answered in between.",
    remedy: "Check memory and disk of the worker, then resume the job: rows with an answer are kept.",
    retry: "later",
  },
  answers_filtered: {
    status: 502,
    title: "A filter holds answers back",
    meaning:
      "A content filter of the endpoint held back or ended at least 5 % of a task's answers (`finish_reason` `content_filter`, `SAFETY`, `RECITATION` or another word for it).",
    remedy:
      "Read such an answer in `rows.jsonl`; set the filter of this deployment at its provider, or leave these rows out: the scores say what the filter lets through.",
    retry: "never",
  },
  empty_answers: {
    status: 502,
    title: "Answers are empty",
    meaning: "At least 5 % of a task's answers have neither text nor a tool call.",
    remedy:
      "Read such an answer in `rows.jsonl`; check the model's chat template, `stop` and `max_tokens`, and whether the text is in another field, such as the one for reasoning.",
    retry: "never",
  },
  nothing_scored: {
    status: 422,
    title: "A metric scored nothing",
    meaning:
      "A metric has no score for any row: its answers could not be read, or the fields that it reads do not exist.",
    remedy: "Read what `rows.jsonl` has for a row, then correct the metric, its judge or its parser.",
    retry: "never",
  },
  executor_failed: {
    status: 502,
    title: "The executor failed",
    meaning:
      "The engine that runs the shards of a job refused a request, can't be reached, or ended a shard without its rows.",
    remedy:
      "Correct what the message says: the profile of the executor, or the engine. Then resume the job: rows with an answer are kept.",
    retry: "later",
  },
  harness_failed: {
    status: 500,
    title: "The harness failed",
    meaning: "The command of a benchmark ended with an error.",
    remedy: "Read its last lines in the log; the conditions found in them are reported, too.",
    retry: "never",
  },
} as const satisfies Record<string, ConditionEntry>

/** Operations that the present status of a job does not allow, or that need data that was removed. */
export const JOB_ERRORS = {
  job_not_final: {
    status: 409,
    meaning: "The job's status does not allow the operation.",
    remedy: "Wait until the job has ended, or cancel it first.",
    retry: "never",
  },
  illegal_transition: {
    status: 409,
    meaning: "A job can't change from its status to the requested one.",
    remedy: "Read the status of the job again, and do what its status allows.",
    retry: "never",
  },
  budget_exhausted: {
    status: 409,
    meaning: "The jobs of the workspace have used its budget for this month.",
    remedy:
      "Raise the limit with `assay budget set`, wait for the next month (UTC), or launch the job in another workspace.",
    retry: "later",
  },
  recording_missing: {
    status: 409,
    meaning: "A replay needs an answer of a model that was not recorded.",
    remedy: "Run once without `--replay-only`, which records it, or correct what changed the request.",
    retry: "never",
  },
  rows_gone: {
    status: 410,
    meaning: "The server has no journal of the job, and the results of the job have no `rows.jsonl`.",
    remedy: "Restore the fileset of the results from a backup, or launch the job again.",
    retry: "never",
  },
  code_not_allowed: {
    status: 400,
    meaning: "Programs of models and of evaluation files run only in a sandbox, and there is none here.",
    remedy:
      "Install bubblewrap and python3 on a Linux machine that allows namespaces, or leave `code-execution` and programs out.",
    retry: "never",
  },
  harness_not_allowed: {
    status: 400,
    meaning: "This server runs no harnesses of benchmarks: they are commands, and its operator does not allow them.",
    remedy: "Run it with `assay eval run` on your own machine, or ask the operator to set ASSAY_HARNESS_ENVIRONMENT.",
    retry: "never",
  },
} as const satisfies Record<string, ErrorEntry>
