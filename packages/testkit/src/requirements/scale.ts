import { rules, type Requirement } from "./requirement.ts"

/** Jobs, servers and filesets that are larger than one machine. */
export const SCALE: readonly Requirement[] = [
  ...rules("scale.md#shards", {
    "shards.leases": "The queue delivers a shard to one worker, and rows of an earlier one are refused.",
    "shards.parallelism": "The shares of a job's workers never exceed its parallelism.",
    "shards.lost-worker": "The next worker keeps the rows of a lost one, whose late rows are refused.",
    "shards.progress": "A shard that loses one worker after another fails the job only if none of them adds a row.",
    "shards.facts":
      "Scores of a job in shards are computed from columns beside its rows, without parsing the rows again.",
    "shards.runner": "A job in shards continues while its runner is replaced.",
    "shards.cancel": "A job in shards is cancelled on all workers, and resumed without a question twice.",
    "shards.retry": "A retry takes the shards with failed rows alone.",
    "shards.turns": "Workspaces take turns, and a job with a higher priority gets more of those of its workspace.",
    "shards.workspace-limit":
      "ASSAY_MAX_SHARDS_PER_WORKSPACE limits the shards of a workspace that run at the same time.",
  }),
  ...rules("scale.md#shards-as-units-of-work", {
    "units.same-results": "The results of a job in shards are those of one process, byte for byte.",
    "units.bucket": "A bucket is all that the processes of a run share.",
    "units.restart": "A shard that is started again asks only rows that are missing.",
    "units.twice": "Two processes of one shard end with the rows of one of them.",
    "units.pinned": "A run reads the rows that were there when its job was cut.",
    "units.budget": "The budget of a job is shared by its shards.",
    "units.failed-share": "A run ends when more rows of all its shards have failed than may.",
    "units.gates": "Early gates of a job in shards are decided after the same rows as in one process.",
  }),
  ...rules("scale.md#endpoint-limits", {
    "paces.one-rate": "Processes share one rate for each endpoint and key, with under 1 % of requests refused.",
    "paces.join": "A worker that joins keeps to the rate that the others have found.",
    "paces.fair": "Jobs whose requests wait for the rate of an endpoint take turns in each process.",
    "paces.alone": "A process keeps to its part of the rate while the shared place does not respond.",
    "paces.cut-off": "A process that gets no answer from the endpoint either sends little.",
    "paces.outside": "Shards of an engine share the rates of endpoints by a server or by its database.",
    "paces.own": "A server accepts reports of those who may launch jobs, and a report counts in its workspace alone.",
    "paces.ranges": "Every number of a report has a range.",
    "paces.refused": "A shard that may not share rates ends before it asks a model.",
  }),
  ...rules("scale.md#many-files", {
    "revisions.shared-pieces": "Revisions share pieces, and a changed file changes few of them.",
    "revisions.pieces-removed": "Pieces are removed with their fileset, or when no revision has them.",
  }),
  ...rules("scale.md#the-proof", {
    "scale.short-run": "Workers are killed while a job runs: every row is in the results once, with its own answer.",
    "scale.checker": "The checker finds rows that are missing, doubled, exchanged or wrong, and questions too many.",
  }),
]
