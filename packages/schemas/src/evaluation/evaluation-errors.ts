import type { ConditionEntry } from "../condition-entry.ts"
import type { ErrorEntry } from "../error-entry.ts"

/** How evaluation jobs fail, beside the calls of endpoints and judges. */
export const EVALUATION_ERRORS = {
  launch_refused: {
    status: 400,
    title: "Job cannot be launched",
    meaning: "A check before the launch failed; no job was made.",
    remedy: "Each of `failed_checks` says what helps; `skip_validation_checks=True` skips them all.",
    retry: "never",
  },
  dataset_format: {
    status: 400,
    title: "Dataset is not in the expected format",
    meaning: "The dataset is no object with a well-formed `files_url`.",
    remedy: "Write `files_url` as `<scheme>://datasets/<namespace>/<name>/<path>` with the scheme `hf` or `assay`.",
    retry: "never",
  },
  dataset_missing: {
    status: 400,
    title: "Dataset is not present on datastore",
    meaning: "The datastore answers, and there is no such fileset or file.",
    remedy: "Check namespace, name and path; the message lists names that are near.",
    retry: "never",
  },
  datastore_unreachable: {
    status: 502,
    title: "Error while checking the existence of a file on the datastore",
    meaning: "The storage behind the dataset does not answer.",
    remedy: "Check that the storage of the fileset answers: `assay doctor` tries each of them.",
    retry: "later",
  },
  gated_dataset: {
    status: 502,
    title: "Gated dataset",
    meaning: "The dataset is gated on the hub, and the account has no access to it.",
    remedy:
      "Request access on the dataset's page of the hub, then set `token_secret` to a token of an account that has it.",
    retry: "never",
  },
  gated_repository: {
    status: 502,
    title: "Gated repository",
    meaning: "A model or tokenizer is gated on the hub, and the account has no access to it.",
    remedy:
      "Request access on the repository's page of the hub, then set `token_secret` to a token of an account that has it.",
    retry: "never",
  },
  hub_not_found: {
    status: 502,
    title: "Not found on the hub",
    meaning: "The hub knows no such repository, revision or file, or hides it from this account.",
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
    title: "Rows can't be read or lack what is needed",
    meaning: "Rows of the dataset can't be parsed, break their schema, or lack a field that a template reads.",
    remedy: "Correct the rows that the message names: `assay dataset validate` lists all of them.",
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
    title: "Not found on the storage",
    meaning: "The object store has no such bucket or key.",
    remedy: "Check bucket, prefix and path.",
    retry: "never",
  },
  storage_region: {
    status: 502,
    title: "Wrong region",
    meaning: "The bucket is in another region than the configuration says.",
    remedy: "Set `region` to the one that the message names.",
    retry: "never",
  },
  storage_clock: {
    status: 502,
    title: "The clock is wrong",
    meaning: "This machine's time differs from the storage's by more than it allows.",
    remedy: "Set the clock of this machine.",
    retry: "never",
  },
  storage_incompatible: {
    status: 502,
    title: "The storage does not know an operation",
    meaning: "The object store lacks something that was asked of it.",
    remedy: "Use a store that is compatible, or turn default checksums off.",
    retry: "never",
  },
  runner_lost: {
    status: 500,
    title: "The runner was lost",
    meaning: "Two processes in a row that ran the job died or stopped reporting, and no row was answered in between.",
    remedy: "Look at the worker's memory and disk, then resume the job: answered rows are kept.",
    retry: "later",
  },
  empty_answers: {
    status: 502,
    title: "Answers are empty",
    meaning: "At least a twentieth of a task's answers have neither text nor a tool call.",
    remedy:
      "Look at such an answer in `rows.jsonl`; check the model's chat template, `stop` and `max_tokens`, and whether its text is in another field, as that of reasoning is.",
    retry: "never",
  },
  nothing_scored: {
    status: 422,
    title: "A metric scored nothing",
    meaning: "A metric has no score for any row: its answers could not be read, or what it reads is not there.",
    remedy: "Look at what it says of a row in `rows.jsonl`, then correct the metric, its judge or its parser.",
    retry: "never",
  },
  harness_failed: {
    status: 500,
    title: "The harness failed",
    meaning: "The command of a benchmark ended with an error.",
    remedy: "Read its last lines in the log; conditions found in them stand beside this one.",
    retry: "never",
  },
} as const satisfies Record<string, ConditionEntry>

/** What can't be done with a job as it stands. */
export const JOB_ERRORS = {
  job_not_final: {
    status: 409,
    meaning: "The job's status does not allow the operation.",
    remedy: "Wait until the job has ended, or cancel it first.",
    retry: "never",
  },
  illegal_transition: {
    status: 409,
    meaning: "A job can't go from its status to the one asked for.",
    remedy: "Look at the job's status: it was changed meanwhile.",
    retry: "never",
  },
  harness_not_allowed: {
    status: 400,
    meaning: "Harnesses of benchmarks are not run here: they are commands, and its operator does not allow them.",
    remedy:
      "Run it with `assay eval run` on a machine of your own, or have the operator set ASSAY_HARNESS_ENVIRONMENT.",
    retry: "never",
  },
} as const satisfies Record<string, ErrorEntry>
