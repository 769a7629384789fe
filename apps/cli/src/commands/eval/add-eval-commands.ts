import { type Command, Option } from "commander"
import type { ListingSort } from "@assay/schemas"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup, type CommandText } from "../add-command.ts"
import { JOB } from "./example-job.ts"
import { addArenaCommand } from "./arena/add-arena-command.ts"
import { addBundleCommand } from "../evidence/add-evidence-commands.ts"
import { addEvalResultCommands } from "./add-eval-result-commands.ts"
import { addDoctorCommand } from "./doctor/add-doctor-command.ts"
import { addConfigurationCommands } from "../configuration/add-configuration-commands.ts"
import { addEngineOptions, ENGINE_HELP } from "./engines/add-engine-options.ts"
import { addOverrides } from "../override-options.ts"
import { addRecordingOptions, addServedRecordingOptions } from "../recording-options.ts"
import { addShardCommands } from "./shards/add-shard-commands.ts"
import {
  ALLOW_FOLDER,
  collect,
  FORCE,
  KEY_HOST,
  PACE,
  parseInteger,
  parseMargin,
  parseStatus,
  SUMMARY,
} from "../option-values.ts"
import { EVALUATION_FILE } from "../../evaluation-file.ts"

const SORTS = ["created_at", "-created_at", "updated_at", "-updated_at"] as const satisfies readonly ListingSort[]
const FOLDER =
  "If the job is a folder of 'assay eval run', it continues in this process, with the file that it was run from."
const RUN_FOLDER = "./.assay-eval/capitals-20261120-174012"
const PRICES = "a file with the prices of models, to know costs of a job of this machine (ASSAY_PRICES_FILE)"
const FILE =
  "FILE is YAML or JSON with 'model', 'data', 'prompt' and 'checks', or in the long form with 'target' and 'config'; `assay schema evaluation` has every key. Row files such as ./rows.csv " +
  "are relative to FILE. The variable that 'key' of a model names contains its key, which is sent to this machine and to hosts that --key-host names. Several models or prompts are several jobs."

const GATE = [
  "--gate <gate>",
  "a limit such as equals>=0.8, task.metric.score>=0.8 or 'equals>=1 on these rows'; can be repeated",
  collect,
] as const
const STOP_EARLY = ["--stop-early", "ask rows in random order, and end as soon as all gates are decided"] as const

/** Declares a command that reads an evaluation file, by default the one that `assay init` writes. */
function addFileCommand(evaluation: Command, name: string, text: CommandText): Command {
  return addCommand(evaluation, name, text).argument("[file]", "the evaluation file", EVALUATION_FILE)
}

const CUT_RUN = "JOB can be the folder or bucket of a run that was cut into shards."

/** Declares `eval run|launch|cut|shard|merge|plan|show|doctor|arena|list|status|watch|logs|results|download|explain|rows|compare|bundle|cancel|resume|retry-failed|delete`. */
export function addEvalCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const evaluation = addGroup(program, "eval", {
    summary:
      "run, launch, cut, shard, merge, plan, show, doctor, arena, list, status, watch, logs, results, download, explain, rows, compare, bundle, …",
    description:
      "Evaluations: score a model or its outputs row by row, with intervals and the conditions that were found.",
    examples: ["assay eval run examples/evaluation/capitals.yaml", "assay eval list --status running"],
  })
  if (!isNamed("eval")) return
  addRun(evaluation, bind)
  addLaunch(evaluation, bind)
  addShardCommands(evaluation, bind, addOverrides)
  addPlan(evaluation, bind)
  addShow(evaluation, bind)
  addDoctorCommand(evaluation, bind)
  addArenaCommand(evaluation, bind)
  addEvalJobCommands(evaluation, bind)
  addEvalResultCommands(evaluation, bind)
  addBundleCommand(evaluation, bind)
  addConfigurationCommands(evaluation, bind, "eval target")
  addConfigurationCommands(evaluation, bind, "eval config")
}

/** Declares `eval run`. */
function addRun(evaluation: Command, bind: Bind): void {
  const run = addOverrides(
    addFileCommand(evaluation, "run", {
      summary: "run the evaluation that a file describes, and print scores with their intervals",
      details:
        `Runs in this process unless --server or ASSAY_URL names a server. With a server, the rows of this machine are sent to a fileset there, and the job is launched and followed. ${FILE}\n\n` +
        "With several models or prompts, each job runs after the other and is compared with the first. Launch checks run first and report all faults at once. To resume an interrupted run, run the same command again. Gates compare the whole interval: " +
        "the exit code is 1 if a gate or the job fails, and 3 if there are too few rows to decide or a condition puts the scores in doubt.\n\n" +
        ENGINE_HELP,
      server: "run on this server (ASSAY_URL)",
      json: "print the outcome, or the error, as JSON",
      examples: [
        "assay eval run",
        "assay eval run examples/evaluation/capitals.yaml",
        "assay eval run eval.yaml --limit 20 --watch",
        "assay eval run eval.yaml --gate 'contains>=0.8' --junit junit.xml",
        "assay eval run eval.yaml --gate 'contains>=0.8' --stop-early",
        "assay eval run eval.yaml --server http://127.0.0.1:8080 --out ./results",
        "assay eval run eval.yaml --against main --margin 0.02 --accept",
        "assay eval run eval.yaml --local --recording ./answers",
        "assay eval run eval.yaml --executor local --shards 8 --at-once 3",
        "assay eval run eval.yaml --profile cluster --out s3://bucket/run --detach",
      ],
    }),
  )
    .option("--local", "run in this process, even if ASSAY_URL is set")
    .option("--data-dir <folder>", "folder for the runs of this machine", "./.assay-eval")
    .option("--out <folder>", "folder for the results; default: a new folder in --data-dir, or only on the server")
    .option(...GATE)
    .option(...STOP_EARLY)
    .option("--junit <file>", "write gates and conditions as JUnit XML")
    .option(...SUMMARY)
    .option("--against <baseline>", "compare with a baseline or a job of the server, or with a folder of results")
    .option("--margin <number>", "with --against: how much worse a score may be", parseMargin, 0)
    .option("--allow-changed", "with --against: decide also scores whose metric or judge differs")
    .option("--accept", "with --against: make this job the baseline, unless a score is worse")
    .option("--prices <file>", PRICES)
    .option("--skip-checks", "run without the launch checks")
    .option(...FORCE)
    .option("--watch", "run again whenever the file or its rows change")
  addEngineOptions(addRecordingOptions(run)).action(
    bind(async () => (await import("./run-evaluation.ts")).runEvaluation),
  )
}

/** Declares `eval launch`. */
function addLaunch(evaluation: Command, bind: Bind): void {
  const launch = addOverrides(
    addFileCommand(evaluation, "launch", {
      summary: "launch a job on the server, and do not wait for it",
      details: FILE,
      json: "print the job, or the error, as JSON",
      examples: [
        "assay eval launch eval.yaml",
        "assay eval launch eval.yaml --gate 'contains>=0.8'",
        "assay eval launch eval.yaml --limit 100 --skip-checks --json",
        "assay eval launch eval.yaml --recording default/answers",
      ],
    }),
  )
    .option(...GATE)
    .option(...STOP_EARLY)
    .option("--skip-checks", "launch without the launch checks")
  addServedRecordingOptions(launch).action(bind(async () => (await import("./launch-evaluation.ts")).launchEvaluation))
}

/** Declares `eval plan`, which `eval check` also names. */
function addPlan(evaluation: Command, bind: Bind): void {
  addOverrides(
    addFileCommand(evaluation, "plan", {
      summary: "check a file, and print the requests, cost, time and precision of its job, without running it",
      details:
        "Runs the launch checks in this process, or on the server that --server or ASSAY_URL names, to which the rows of this machine are sent. Tokens are those of the first rows. " +
        `${FILE} The exit code is 1 if a check fails.`,
      server: "check on this server (ASSAY_URL)",
      json: "print the outcome, or the error, as JSON",
      examples: ["assay eval plan eval.yaml --prices prices.yaml", "assay eval plan eval.yaml --limit 500 --json"],
    }),
  )
    .option("--local", "check in this process, even if ASSAY_URL is set")
    .option("--data-dir <folder>", "folder for the runs of this machine", "./.assay-eval")
    .option("--prices <file>", PRICES)
    .action(bind(async () => (await import("./check-evaluation.ts")).checkEvaluation))
}

function addShow(evaluation: Command, bind: Bind): void {
  addFileCommand(evaluation, "show", {
    summary: "print the long form that an evaluation file expands to, which runs as well",
    server: false,
    details: `${FILE} Several jobs are separated by '---'; --job prints one of them.`,
    json: "print the long form, or the error, as JSON",
    examples: ["assay eval show examples/evaluation/slices.yaml", "assay eval show matrix.yaml --job 2 > second.yaml"],
  })
    .option("--job <n>", "only this job of a file with several models or prompts, from 1", parseInteger(1))
    .action(bind(async () => (await import("./show-evaluation.ts")).showEvaluation))
}

/** Declares `eval list|status|watch|logs|cancel|resume|retry-failed|delete`. */
function addEvalJobCommands(evaluation: Command, bind: Bind): void {
  addList(evaluation, bind)
  addCommand(evaluation, "status <job>", {
    summary: "print the progress of a job",
    details: CUT_RUN,
    examples: [`assay eval status ${JOB}`, "assay eval status s3://bucket/run"],
  }).action(bind(async () => (await import("./manage-job.ts")).showStatus))
  addWatch(evaluation, bind)
  addCommand(evaluation, "logs <job>", {
    summary: "print the log of a job, or of a folder with results",
    json: "print errors as JSON; the log is not changed",
    details: CUT_RUN,
    examples: [`assay eval logs ${JOB} --follow`, "assay eval logs ./results", "assay eval logs ./run --shard 7"],
  })
    .option("--shard <n>", "what the processes of this shard of a run have written", parseInteger(0))
    .option("--tail <n>", "print only the last n lines", parseInteger(0))
    .option("--follow", "continue with new lines until the job has ended")
    .action(bind(async () => (await import("./print-log.ts")).printLog))
  addCommand(evaluation, "cancel <job>", {
    summary: "stop a job; its answers are kept",
    details: CUT_RUN,
    examples: [`assay eval cancel ${JOB}`, "assay eval cancel ./run"],
  }).action(bind(async () => (await import("./manage-job.ts")).cancelJob))
  addCommand(evaluation, "resume <job>", {
    summary: "resume a job that failed or was cancelled: ask the rows without an answer",
    details: `${FOLDER} ${CUT_RUN} Its missing shards are submitted as they were before.`,
    examples: [`assay eval resume ${JOB}`, `assay eval resume ${RUN_FOLDER}`, "assay eval resume s3://bucket/run"],
  })
    .option(...KEY_HOST)
    .option(...ALLOW_FOLDER)
    .option(...PACE)
    .action(bind(async () => (await import("./manage-job.ts")).resumeJob))
  addCommand(evaluation, "retry-failed <job>", {
    summary: "ask again about the rows that failed",
    details: FOLDER,
    examples: [`assay eval retry-failed ${JOB}`, `assay eval retry-failed ${RUN_FOLDER}`],
  })
    .option(...KEY_HOST)
    .option(...ALLOW_FOLDER)
    .option(...PACE)
    .action(bind(async () => (await import("./manage-job.ts")).retryFailedRows))
  addCommand(evaluation, "delete <job>", {
    summary: "delete a job that has ended, and its results",
    details:
      "The server keeps it for ASSAY_TRASH_HOURS, in which `trash restore` brings it back. The keys that its file had are deleted at once.",
    examples: [`assay eval delete ${JOB} --yes`, `assay eval delete ${JOB} --permanent --yes`],
  })
    .option("--permanent", "delete it for good at once")
    .option("-y, --yes", "delete without asking")
    .action(bind(async () => (await import("./manage-job.ts")).deleteJob))
}

function addList(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "list", {
    summary: "list the runs of this machine or the jobs of a server, newest first",
    details:
      "Without --server and ASSAY_URL, lists the runs of this machine as `assay eval run` leaves them: in --data-dir, in folders of the working folder such as ./results, and one folder below those. If there are none, or with an option that " +
      "is about a server, lists the jobs of the server.",
    examples: [
      "assay eval list",
      "assay eval list --status running",
      "assay eval list --limit 5",
      "assay eval list --server http://127.0.0.1:8080 --all --json",
    ],
  })
    .option("--local", "list the runs of this machine, even if ASSAY_URL is set")
    .option("--data-dir <folder>", "folder for the runs of this machine", "./.assay-eval")
    .option("-w, --workspace <name>", "only jobs of this workspace")
    .option("--status <status>", "only jobs with this status, such as running, completed or failed", parseStatus)
    .option("--search <text>", "only jobs whose configuration contains this text")
    .addOption(new Option("--sort <field>", "order; '-' before a field means descending").choices(SORTS))
    .option("--page <number>", "page to show", parseInteger(1))
    .option("--page-size <number>", "jobs per page", parseInteger(1, 100))
    .option("--all", "show all pages")
    .addOption(
      new Option("--limit <n>", "maximum number of runs or jobs")
        .argParser(parseInteger(1))
        .conflicts(["all", "page", "pageSize"]),
    )
    .action(bind(async () => (await import("./listing/list-evaluations.ts")).listEvaluations))
}

function addWatch(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "watch <job>", {
    summary: "follow a job to its end, and print its outcome",
    details:
      `After Ctrl-C the job keeps running. ${CUT_RUN} Its shards that end without rows are submitted again, and its results are merged. ` +
      "The exit code is 1 if the job or a gate fails, and 3 if a gate can't be decided or a condition puts the scores in doubt.",
    json: "print the outcome, or the error, as JSON",
    examples: [
      `assay eval watch ${JOB}`,
      "assay eval watch s3://bucket/run",
      `assay eval watch ${JOB} --gate 'contains>=0.8' --out ./results`,
    ],
  })
    .option(...GATE)
    .option("--junit <file>", "write gates and conditions as JUnit XML")
    .option(...SUMMARY)
    .option("--against <baseline>", "compare with a baseline or another job of the server")
    .option("--margin <number>", "with --against: how much worse a score may be", parseMargin, 0)
    .option("--allow-changed", "with --against: decide also scores whose metric or judge differs")
    .option("--accept", "with --against: make this job the baseline, unless a score is worse")
    .option("--out <folder>", "download the results to this folder")
    .option(...FORCE)
    .option(...KEY_HOST)
    .option(...PACE)
    .action(bind(async () => (await import("./watch-evaluation.ts")).watchEvaluation))
}
