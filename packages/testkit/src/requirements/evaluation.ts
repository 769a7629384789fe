import { rules, type Requirement } from "./requirement.ts"

/** Routes, statuses, launch checks, running, metrics, results and conditions of evaluation jobs. */
export const EVALUATION: readonly Requirement[] = [
  ...rules("evaluation.md#jobs", {
    "brief.evaluation.status-running": "A job that runs is RUNNING.",
    "brief.evaluation.status-completed": "A finished job is COMPLETED, and its logs can be fetched.",
    "brief.evaluation.status-failed": "A failed job is FAILED, and its logs can be fetched.",
    "brief.evaluation.status-unavailable": "UNAVAILABLE means that the runner of a job is silent.",
    "eval.transitions": "Transitions are one table, and an illegal one is an error.",
    "eval.wire-scores": "ASSAY_WIRE_NAMES=vendor returns scores under the names of the first version.",
    "eval.default-endpoint": "A model given by name only is asked at ASSAY_DEFAULT_INFERENCE_URL.",
    "eval.wire-words": "ASSAY_WIRE_NAMES=vendor returns the lower-case words.",
    "eval.pins": "Pins record what was read.",
    "eval.unavailable": "A job whose runner is silent is UNAVAILABLE, and another runner takes it over.",
    "jobs.losses-in-a-row":
      "A job fails when it loses two runners in a row without a new row; a stop in order is not a loss.",
    "leases.database-clock": "Leases on a shared database follow its clock, not the clocks of the servers.",
    "leases.clock-skew-warning":
      "A clock that differs from the database's by more than 2 s is reported by log, health and doctor.",
    "eval.embedded": "A job embeds target and config as they were at launch.",
  }),
  ...rules("evaluation.md#launch-checks", {
    "brief.evaluation.launch": "POST /v1/evaluation/jobs with namespace, target and config launches a job.",
    "brief.evaluation.names": "`target` and `config` have the form `namespace/name`.",
    "brief.evaluation.checks":
      "A launch checks first that what it needs is available, such as the dataset and its files.",
    "brief.evaluation.skip-checks": "`skip_validation_checks=True` skips the checks.",
    "launch.estimate":
      "The estimate of a check has tokens, cost and time; what is not known is null, and a note says what to do.",
    "launch.check":
      "POST jobs/check returns the outcome of the launch checks with an estimate, or streams them as they end, and stores nothing.",
    "eval.update":
      "The description, the project and the custom fields of a job are changed by editors, and nothing else.",
    "eval.plan": "A plan finds what is wrong and estimates, and asks no model and writes nothing.",
    "eval.models":
      "The models of an endpoint are listed for editors of a workspace, by the rules of jobs for secrets and hosts.",
    "launch.together": "All failures are reported together and no job is made.",
    "launch.fields": "Fields that templates name must occur in the rows.",
    "launch.copies":
      "Rows that repeat another one are a warning, because intervals, gates and comparisons count each of them.",
    "launch.fit": "Target and config must fit each other, and templates compile.",
    "launch.files": "Every files_url must exist; otherwise the error has the platform's words.",
    "launch.rows": "First rows must parse and satisfy their schema.",
    "launch.endpoints": "Target and judges must answer a one-token request.",
    "launch.logprobs":
      "A task that reads log-probabilities is refused unless the endpoint gives them for a small request; the reason and a remedy are named.",
    "launch.judge-format": "A judge that misses the format on a known example is a warning.",
    "launch.results": "Results must be writable.",
    "launch.files-url": "files_url has the schemes hf and assay, a doubled namespace, globs, and the short form.",
  }),
  ...rules("evaluation.md#results", {
    "brief.evaluation.download":
      "GET …/download-results returns a zip of the result folder: configuration, logs and results.",
    "brief.evaluation.download-accept": "The archive is answered to `accept: application/json` too.",
    "brief.evaluation.download-logs": "Log files are in the results folder and end in `.log`.",
    "brief.evaluation.download-statuses": "Results can be downloaded of COMPLETED and FAILED jobs.",
    "results.layout": "Results have the layout of config and results with keys masked.",
    "results.fileset": "Results are an ordinary fileset.",
    "results.one-step": "Results are seen all at once, when the job has ended with them.",
    "results.not-replaced":
      "Results on this machine replace those of another job only with --force, and a baseline is read before it is replaced.",
    "results.fenced": "A runner that has lost its lease changes no results.",
    "results.bound": "Results go to the fileset that output_files_url named at launch, also under another name.",
    "results.not-green": "No report is green while a condition is open.",
    "results.archive": "The archive is streamed with right checksums, Zip64 above 4 GiB.",
    "results.html": "report.html is one file without outside resources.",
    "results.logs.controls":
      "Logs, tables, reports and answers contain no control character of a model, nor a control of bidirectional text: they show it as `⟨U+202E⟩`.",
    "results.csv.formulas": "A CSV cell that a spreadsheet would run as a formula is escaped, unless it is a number.",
    "results.junit-csv": "junit.xml and metrics.csv are written.",
  }),
  ...rules("evaluation.md#running", {
    "brief.evaluation.dataset-by-url": "An evaluation reads its dataset from a datastore by URL.",
    "brief.evaluation.endpoint": "An evaluation can ask an inference endpoint over HTTPS.",
    "brief.evaluation.judge": "A model can judge another model's output.",
    "run.parallelism": "So many requests are in flight, fewer after 429.",
    "run.turns": "Costly rows and metrics let other requests have their turn.",
    "inference.prompt-tokens":
      "Log-probabilities of a prompt are read from `echo` with `logprobs` and from `prompt_logprobs`, and belong to the right characters.",
    "run.reasoning":
      "`reasoning` of a model, and NeMo's reasoning_params and reasoning interceptor, remove reasoning before scoring, for targets and judges; a setting that can't be obeyed is refused by its name.",
    "run.text-endpoint":
      "An endpoint with `format: completions` is asked at /completions with a text; chats are refused at launch.",
    "run.cache": "The response cache keys on base URL, model, body and repeat, and keeps no failures.",
    "run.conversation":
      "A row can be a conversation: its turns are sent with the exact history, calls of tools are answered, and one that reaches a limit is scored.",
    "run.prompt-files":
      "A file of a prompt is below the folder of the evaluation file, its repository, the working folder or a folder that the user allows, and is not hidden.",
    "run.row-files":
      "Rows and labels that an evaluation file names are not hidden, and with ASSAY_ALLOWED_FOLDERS below its folder, its repository, the working folder or a folder that the user allows.",
    "run.tool-programs":
      "A tool can be a program in the sandbox, a server of the Model Context Protocol or a model; a tool that fails is an error of the call and is counted, and a second run starts none.",
    "run.program-filesets":
      "The files of a tool's script, of a server of tools or of an agent can be those of a fileset, of its revision or of its digest; a launch puts their texts into the job with the rights of its caller, at most 100 texts and 1 MiB.",
    "run.agent":
      "An agent can be a program in the sandbox or a container, or an endpoint, that does whole tasks; its text, JSON, ATIF trajectory or OTLP trace is scored as a conversation, and one that takes too long has no answer.",
    "run.not-reached":
      "A conversation that a limit ended before a turn of a check is counted as `not_reached` by it, and gates count it as one without a score.",
    "run.user":
      "A model can write the messages of the user, within its goal and its facts; if a judge finds that it broke them, the conversation is not scored.",
    "run.recording":
      "An answer of a conversation is recorded before its next request; a second run sends nothing, and a replay fails on anything new.",
    "run.recording-shards":
      "Shards share a recording: a second run in shards sends nothing, and its rows have the same bytes as those of one process.",
    "run.recording-fileset":
      "A recording in a fileset is read before a run, and gets the answers that are new; results name its digest, and a replay can insist on one.",
    "run.recording-jobs":
      "A job of a server records the answers of its models in the fileset that it names, with the rights of its launcher, and replays them without a request; jobs at the same time have the same answers, and an older answer stays until the newer is durable.",
    "run.recording-keys": "A recording never has a key or a secret that a run resolved.",
    "run.row-answers": "A row can have the answers of its tools; equal calls get those that fit one after the other.",
    "run.traces":
      "Spans of one conversation, session or trace become a row with its turns, calls and answers; other spans are counted, and no other attribute is copied.",
    "run.harbor":
      "Task folders of Harbor become a benchmark that runs them in a sandbox; those that need more are left out, with the reason.",
    "run.test-row": "A row of a job becomes a row that asks the same again, with the answers of its tools.",
    "run.formats": "Rows are read from JSON, JSON lines, CSV and Parquet, also in gzip and zstd.",
    "run.failed-rows": "A failed row is recorded; the job fails above the share, or at once if every row would fail.",
    "run.score":
      "An attempt that adds metrics sends no requests to the target. If it is stopped, the next attempt of any kind scores the rest.",
    "run.resume": "A killed job continues without asking an answered row again, and neither loses nor doubles a row.",
    "run.templates": "Templates are Jinja over item and sample; a missing name lists the names there are.",
    "run.targets": "Targets are models, cached outputs, rows and datasets.",
    "run.queue": "Several workers share a queue: a killed one's job ends with every row once.",
    "run.shards": "Several workers run the rows of one job. Its results are those of one worker, to the last bit.",
    "run.numbers": "Counts of scored, unreadable, errored and skipped rows stand beside every mean.",
  }),
  ...rules("evaluation.md#conditions", {
    "brief.condition.gated": "A gated dataset or repository is reported with the page where access is requested.",
    "brief.condition.judge-unreadable":
      "A judge whose answers are out of format is reported, with another judge as the remedy.",
    "brief.condition.dataset-format":
      "A dataset without a good `files_url` is `Dataset {dataset} is not in the expected format; …`.",
    "brief.condition.files-url": "`files_url` names a file as `<scheme>://datasets/<namespace>/<namespace>/<path>`.",
    "brief.condition.inference-unreachable":
      "A target that can't be reached is `Error connecting to inference server`.",
    "brief.condition.inference-tls":
      "A certificate or DNS name that is not trusted is reported as an inference SSL error.",
    "brief.condition.datastore":
      "A datastore that fails is `Error occurred while checking the existence of file {file_ref} on the datastore`.",
    "brief.condition.dataset-missing":
      "A missing file is reported as `Dataset {file_ref} is not present on datastore`.",
    "brief.condition.launch-refused": "`Job cannot be launched` lists the checks that failed.",
    "condition.catalogue": "One catalogue is the source of code, page and tests.",
    "condition.evidence": "A condition has evidence, remedy, count and times.",
    "condition.text": "Conditions are found in the text of logs.",
    "condition.storage": "Errors of hub and object store become their conditions.",
    "condition.empty-answers": "empty_answers is raised if at least 5 % of the answers have no text and no tool call.",
    "metrics.nothing-scored": "A metric that has scored no row makes the job FAILED.",
    "condition.unreadable-share": "judge_output_unreadable is raised if at least 5 % of the answers are unreadable.",
  }),
  ...rules("evaluation.md#routes", {
    "eval.rows.page": "Rows of a job are listed with scores and totals, also while it runs.",
    "eval.rows.results":
      "Rows of a job whose journal is gone are read from its results; rows_gone if they are gone, too.",
    "eval.rows.order": "Rows are sorted by index, latency, score or change; rows without the value come last.",
    "eval.rows.filter": "Rows are filtered by condition, verdict, error, latency, score and text.",
    "eval.rows.whole": "A row is returned with every repeat and attempt.",
    "eval.rows.requests":
      "A row is returned with what the target and each metric were asked about it, or with the reason why that cannot be rendered again.",
    "eval.labels.queue": "Rows to label are drawn by a seed, without those that have a label.",
    "eval.labels.kept": "Labels are lines of a fileset; they belong to item and output, also in later jobs.",
    "eval.labels.report": "A judge's mean is corrected by labels of drawn rows, and compared with them.",
    "eval.labels.advice": "A run with a judge that has no labels says how many would validate it.",
    "eval.labels.option": "A metric that names labels has its scores corrected by them at the end of the job.",
    "eval.labels.refused":
      "Labels for rows that are not there, damaged files and callers without rights are refused, and nothing is kept.",
    "eval.rows.distribution": "A score has a distribution over the rows that match.",
    "eval.rows.distribution-so-far":
      "While a job runs, the distribution names the order of its rows, and has an interval only if it is random: of the same quantity as at the end.",
    "eval.list": "GET jobs returns the list form with filters, search, sort and pages.",
    "eval.trends":
      "GET /trends/{ws} returns scores with intervals, gates, commits, cost, failures and time of the newest 200 jobs of a configuration, dataset, name or baseline.",
    "eval.leaderboards":
      "GET /leaderboards/{ws} ranks the latest jobs over a dataset, in groups that paired tests with Holm's levels do not tell apart.",
    "eval.compare.rows":
      "Rows that two jobs have are listed side by side with their difference, most changed first; rows of one job only are counted.",
    "eval.compare":
      "compare returns differences, paired intervals, p-values, the smallest detectable effect and changed rows.",
    "eval.launch": "POST jobs returns 201 with the job; target and config are names or inline.",
    "eval.skip-checks-forms": "skip_validation_checks accepts true and false in any case, 1 and 0.",
    "eval.delete": "A job is deleted with its results, and not while it runs.",
    "eval.status": "status returns message, task status, progress, samples and conditions.",
    "eval.events": "Live events are sent, and Last-Event-ID resumes.",
    "eval.streams-bounded":
      "A caller follows at most 100 events and logs of jobs at a time, and a server serves 2,000.",
    "eval.events.wake":
      "A server hears of new events of any server on one connection, and looks at all followed jobs with one statement while it hears nothing.",
    "eval.results": "results returns the result, or 404 while there is none.",
    "eval.download": "download-results streams a zip of COMPLETED, FAILED and CANCELLED jobs, else 409.",
    "eval.logs": "logs returns a zip of logs, or text with tail and follow.",
    "eval.explain": "explain returns the conditions with evidence, remedies and what to run next.",
    "eval.cancel": "A job can be cancelled, and its answers are kept.",
    "eval.identity":
      "Each score has the digest of what gives it its meaning: the metric and its own version, parameters, and the model, inference parameters, prompt and parser of a judge; not addresses, keys or the version of the product.",
    "release.policy":
      "A release policy is read with all faults, each with file, line, column and the key that was probably meant.",
    "release.numbers":
      "A release believes no number that the rows do not give, and no corrected mean that the labels do not give if they can be read.",
    "release.check":
      "A release is PASS, FAIL or INCONCLUSIVE over the results of many evaluations: critical and supporting ones block and are decided together by Holm's procedure, missing results of them fail it, and advisory ones do not count.",
    "release.run":
      "assay release run asks the evaluations without results, critical ones first. One whose gates are limits ends when they are decided at their share of alpha, for all rows like these. After an evaluation that blocks, nothing is asked. release check comes to the same verdict.",
    "release.resumed":
      "assay release run continues what was interrupted or has failed, and asks no answered row again. Results of another job are not replaced without --force.",
    "release.quarantine":
      "Rows that flip in the repeats of the older results are reported and do not count as regressions; rows that only the new version flips do.",
    "eval.rescore":
      "Stored outputs are scored again by the metrics of a file: the target is not asked, judges are asked about the outputs alone, and the results name the job as rescored_from. A command that was interrupted is continued.",
    "eval.rescore.job":
      "On a server, stored outputs are scored again by a new job with rescored_from: it asks judges alone, fails if the job with the outputs did not ask all of its rows, and is cancelled and continued like others. It takes the role viewer there and editor in its own workspace.",
    "eval.compare.changed":
      "A score whose identity differs between jobs has no verdict and says what changed, unless changes are allowed; other scores are decided. A gate against such a score has no verdict, too.",
    "eval.resume":
      "resume asks the rows without an answer, those that failed too, and is refused if it would ask nothing and end as before.",
    "eval.retry-failed": "retry-failed asks only the failed rows again.",
    "eval.executor.results": "A job that names an executor has the results of a job whose rows the server asks.",
    "eval.executor.continue":
      "A job on an executor continues after its server was killed, and nothing is submitted twice.",
    "eval.executor.keys": "No file of a run on an executor contains a key of its job.",
    "eval.executor.refused": "A job that can't run on the executor that it names is refused before it begins.",
    "eval.shards.page": "Shards of a job are listed with state, location and rows, whoever runs them.",
    "eval.score": "score adds metrics to a finished job without asking the target.",
    "eval.live": "live evaluates up to 100 inline rows in the same call.",
    "eval.targets-configs": "Targets and configs are created, listed, read, changed and removed.",
    "eval.inline-keys": "A key written inline becomes a secret and is shown as asterisks.",
    "eval.ids": "Ids have their prefixes.",
    "eval.rights": "Viewers read jobs, editors launch them.",
  }),
  ...rules("evaluation.md#metrics", {
    "metric.loglikelihood":
      "Log-likelihood, perplexity and bits per byte of texts are those of lm-evaluation-harness, with intervals over rows.",
    "metric.multiple-choice":
      "The choice with the highest log-likelihood counts: acc, divided by characters acc_norm, divided by bytes acc_bytes.",
    "metric.bleu": "bleu is sacreBLEU's.",
    "metric.rouge": "rouge is rouge-score's with stemming.",
    "metric.chrf": "chrf is sacreBLEU's chrF2, and chrF++ with `word_order: 2`.",
    "metric.mathematics":
      "gsm8k and math decide as lm-evaluation-harness does: the number after `####` and the last number; the last box in LaTeX.",
    "metric.ifeval":
      "ifeval checks the 25 instructions of IFEval strictly and loosely, by prompt and by instruction, as lm-evaluation-harness does.",
    "metric.code-execution":
      "code-execution runs the code of an answer with its tests in a sandbox with limits, and is refused without one before a row is asked.",
    "metric.rag":
      "faithfulness, answer_relevancy, context_precision and context_recall are Ragas': verdicts are read strictly, for exactly the statements or contexts that were asked about.",
    "metric.g-eval":
      "g-eval is the expectation over the probabilities of the scores, or the score itself without usable log-probabilities, which it says.",
    "metric.pairwise":
      "pairwise lets a judge compare two answers in both orders: 1, 0.5 or 0, contradicting orders are a tie, and ties, position bias and length bias are measured.",
    "metric.tool-call-turns":
      "tool-call-turns compares the calls of a finished conversation turn by turn, and tool-call-relevance decides whether a tool is called at all, as in BFCL.",
    "metric.tool-call-ast": "tool-call-ast is the AST check of the Berkeley Function-Calling Leaderboard.",
    "metric.ter": "ter is sacreBLEU's TER, and lower is better.",
    "metric.exact-match": "exact-match, em and f1 are SQuAD's.",
    "metric.llm-judge": "llm-judge parses named scores; unreadable is NaN and counted.",
    "metric.remote": "remote posts each row and reads scores by JSONPath.",
    "metric.similarity": "similarity_metrics scores given outputs or outputs of a model.",
    "metric.agentic": "agentic tasks score tool calls, goals, topics and answers.",
    "metric.retriever": "retriever scores rankings under groups.",
    "metric.content-safety": "content_safety runs labelled prompts through a guardrail.",
    "config.calibration": "calibration measures judges as a job, with the report of guard calibrate as its results.",
    "metric.benchmark": "benchmark runs a harness and finds conditions in its log.",
    "metric.exact":
      "Sums, means and variances are exact and rounded once, in any order of rows; a limit that every row meets passes.",
    "metric.scale": "An interval of a mean never leaves the scale of its score.",
    "metric.stats": "Stats have counts, moments, percentiles, histogram and interval.",
    "metric.slices":
      "slices give each score by the values of columns, with marks for those that differ and the worst; an unknown column is refused.",
    "metric.repeats": "repeats give pass@k, pass^k, majority and flip rate.",
    "metric.nan": "NaN is the string NaN in JSON.",
    "metric.string-check": "string-check compares as its operator says.",
    "metric.number-check": "number-check compares numbers, the last of each text.",
    "metric.tool-calling": "tool-calling compares names, then arguments.",
    "metric.json-schema": "json-schema, latency, tokens and cost are measured per row.",
  }),
  ...rules("evaluation.md#harnesses", {
    "harness.sandbox":
      "A harness runs unprivileged, sees nothing of the server or other users, and writes only to its own folder.",
    "harness.network": "A harness in a sandbox has no network or, if configured, only the endpoint of its target.",
    "harness.trusted":
      "Without a sandbox, a server starts only if the setting says trusted, and not with keys in its environment.",
    "harness.secrets":
      "Secrets of a harness need the right in their workspace, belong to the configuration, and are shown by name.",
    "harness.limits":
      "A harness that uses more memory, processor time, processes or disk than it may is ended, and its failure names the limit.",
    "harness.attempts": "Each attempt has its own folder, and what an earlier one or a killed server left is ended.",
    "harness.results": "Scores of a harness are read from a regular file only; nothing else is followed or waited for.",
  }),
]
