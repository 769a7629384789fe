import { built, type Requirement } from "./requirement.ts"

/** Routes, states, launch checks, running, results and conditions of evaluation jobs. */
export const EVALUATION_JOBS: readonly Requirement[] = [
  ...built("evaluation §1: Routes", {
    "eval.list": "GET jobs answers the list form with filters, search, sort and pages.",
    "eval.compare":
      "compare tells differences, paired intervals, p-values, the smallest detectable effect and changed rows.",
  }),
  ...built("evaluation §1: Routes", {
    "eval.launch": "POST jobs answers 201 with the job; target and config are names or inline.",
    "eval.skip-checks-forms": "skip_validation_checks takes true and false in any case, 1 and 0.",
    "eval.delete": "A job is deleted with its results, and not while it runs.",
    "eval.status": "status tells message, task status, progress, samples and conditions.",
    "eval.events": "Live events are sent, and Last-Event-ID resumes.",
    "eval.results": "results answers the result, or 404 while there is none.",
    "eval.download": "download-results streams a zip of COMPLETED, FAILED and CANCELLED jobs, else 409.",
    "eval.logs": "logs answers a zip of logs, or text with tail and follow.",
    "eval.explain": "explain answers the conditions with evidence, remedies and what to run next.",
    "eval.cancel": "A job is cancelled, and what was answered is kept.",
    "eval.resume": "A job is resumed: what has no answer is asked.",
    "eval.retry-failed": "retry-failed asks the failed rows alone again.",
    "eval.score": "score adds metrics to a finished job without asking the target.",
    "eval.live": "live evaluates up to 100 inline rows in the same call.",
    "eval.targets-configs": "Targets and configs are created, listed, read, changed and removed.",
    "eval.inline-keys": "A key written inline becomes a secret and is shown as asterisks.",
    "eval.ids": "Ids have their prefixes.",
    "eval.rights": "Viewers read jobs, editors launch them.",
  }),
  ...built("evaluation §2: Job", {
    "eval.transitions": "Transitions are one table, and an illegal one is an error.",
  }),
  ...built("evaluation §2: Job", {
    "eval.wire-scores": "ASSAY_WIRE_NAMES=vendor answers scores under the names that the first version gave them.",
    "eval.default-endpoint": "A model that is given by name alone is asked at ASSAY_DEFAULT_INFERENCE_URL.",
    "eval.wire-words": "ASSAY_WIRE_NAMES=vendor answers the lower-case words.",
  }),
  ...built("evaluation §2: Job", {
    "eval.pins": "Pins record what was read.",
    "eval.unavailable": "A job whose runner is silent is UNAVAILABLE, and another takes it up.",
    "jobs.losses-in-a-row":
      "A job fails when it loses two runners in a row without a new row; a stop in order is no loss.",
    "leases.database-clock": "Leases on a shared database follow its clock, whatever the clocks of the servers say.",
    "leases.clock-skew-warning": "A clock that is more than 2 s off the database's is told by log, health and doctor.",
    "eval.embedded": "A job embeds target and config as they were at launch.",
  }),
  ...built("evaluation §3: Launch checks", {
    "launch.together": "All failures are reported together and no job is made.",
    "launch.fields": "Fields that templates name must occur in the rows.",
    "launch.fit": "Target and config must fit each other, and templates compile.",
    "launch.files": "Every files_url must be there, in the brief's words where it is not.",
    "launch.rows": "First rows must parse and satisfy their schema.",
    "launch.endpoints": "Target and judges must answer a one-token request.",
    "launch.judge-format": "A judge that misses the format on a known example is a warning.",
    "launch.results": "Results must be writable.",
    "launch.files-url": "files_url has the schemes hf and assay, a doubled namespace, globs, and the short form.",
  }),
  ...built("evaluation §4: Running", {
    "run.parallelism": "So many requests are in flight, fewer after 429.",
    "run.turns": "Costly rows and metrics let other requests have their turn.",
    "run.cache": "The response cache keys on base URL, model, body and repeat, and keeps no failures.",
  }),
  ...built("evaluation §4: Running", {
    "run.formats": "Rows are read from JSON, JSON lines, CSV and Parquet, also in gzip and zstd.",
    "run.failed-rows": "A failed row is recorded; the job fails above the share, or at once where every row would.",
    "run.score":
      "A round that adds metrics asks nobody; what it leaves when it is stopped, the next round of any kind scores.",
    "run.resume": "A killed job goes on without asking an answered row again, losing or doubling none.",
    "run.templates": "Templates are Jinja over item and sample; a missing name lists the names there are.",
    "run.targets": "Targets are models, cached outputs, rows and datasets.",
    "run.queue": "Several workers share a queue: a killed one's job ends with every row once.",
    "run.numbers": "Counts of scored, unreadable, errored and skipped rows stand beside every mean.",
  }),
  ...built("evaluation §5 and §8: Metrics", {
    "metric.bleu": "bleu is sacreBLEU's.",
    "metric.rouge": "rouge is rouge-score's with stemming.",
    "metric.chrf": "chrf is sacreBLEU's chrF2.",
    "metric.exact-match": "exact-match, em and f1 are SQuAD's.",
    "metric.llm-judge": "llm-judge parses named scores; unreadable is NaN and counted.",
    "metric.remote": "remote posts each row and reads scores by JSONPath.",
    "metric.similarity": "similarity_metrics scores given or asked outputs.",
    "metric.agentic": "agentic tasks score tool calls, goals, topics and answers.",
    "metric.retriever": "retriever scores rankings under groups.",
    "metric.content-safety": "content_safety runs labelled prompts through a guardrail.",
    "metric.benchmark": "benchmark runs a harness and finds conditions in its log.",
    "metric.stats": "Stats have counts, moments, percentiles, histogram and interval.",
    "metric.repeats": "repeats give pass@k, pass^k, majority and flip rate.",
    "metric.nan": "NaN is the string NaN in JSON.",
  }),
  ...built("evaluation §5 and §8: Metrics", {
    "metric.string-check": "string-check compares as its operator says.",
    "metric.number-check": "number-check compares numbers, the last of each text.",
    "metric.tool-calling": "tool-calling compares names, then arguments.",
    "metric.json-schema": "json-schema, latency, tokens and cost are measured per row.",
  }),
  ...built("evaluation §5: Harnesses", {
    "harness.sandbox":
      "A harness runs unprivileged, sees nothing of the server or other users, and writes to its own folder alone.",
    "harness.network": "A harness in a sandbox has no network; if asked, the endpoint of its target alone.",
    "harness.trusted":
      "Without a sandbox a server starts only where the setting says trusted, and with no keys in its environment.",
    "harness.secrets":
      "Secrets of a harness need the right where they are stored, are the configuration's own, and are shown by name.",
    "harness.limits":
      "A harness that uses more memory, processor time, processes or disk than it may is ended, and its failure names the limit.",
    "harness.attempts": "Each attempt has its own folder, and what an earlier one or a killed server left is ended.",
    "harness.results":
      "Scores of a harness are read from a regular file alone; nothing else is followed or waited for.",
  }),
  ...built("evaluation §6: Results", {
    "results.layout": "Results have the layout of config and results with keys masked.",
    "results.fileset": "Results are an ordinary fileset.",
    "results.one-step": "Results are seen all at once, when the job has ended with them.",
    "results.fenced": "A runner that has lost its lease changes no results.",
    "results.bound": "Results go to the fileset that output_files_url named at launch, also under another name.",
    "results.not-green": "No report is green while a condition is open.",
    "results.archive": "The archive is streamed with right checksums, Zip64 above 4 GiB.",
    "results.html": "report.html is one file without outside resources.",
    "results.logs.controls":
      "Logs, tables and reports, also as answers, hold no control character of a model as it is.",
    "results.csv.formulas": "A CSV cell that a spreadsheet would run as a formula is escaped, unless it is a number.",
    "results.junit-csv": "junit.xml and metrics.csv are written.",
  }),
  ...built("evaluation §7: Conditions", {
    "condition.catalogue": "One catalogue is the source of code, page and tests.",
    "condition.evidence": "A condition carries evidence, remedy, count and times.",
    "condition.text": "Conditions are found in the text of logs.",
    "condition.storage": "Errors of hub and object store become their conditions.",
    "condition.empty-answers": "empty_answers is raised from 5 % of answers on that have no text and no tool call.",
    "metrics.nothing-scored": "A metric that has scored no row makes the job FAILED.",
    "condition.unreadable-share": "judge_output_unreadable is raised from 5 % of unreadable answers on.",
  }),
  ...built("operating §3: eval", {
    "cli.eval.run": "eval run works from a file with and without a server, with progress.",
    "cli.eval.gates": "Gates end with exit code 1 and write JUnit.",
    "cli.eval.jobs": "launch, list, status, watch, logs, results, download, explain, compare, cancel and resume work.",
    "cli.eval.examples": "Examples run against a server that everyone can start.",
  }),
]
