import { Option, type Command } from "commander"
import type { ListingSort } from "@assay/schemas"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect, parseInteger } from "../option-values.ts"

const SORTS = ["created_at", "-created_at", "updated_at", "-updated_at"] as const satisfies readonly ListingSort[]
const JOB = "eval-3QJmnh8Y1kGqvS4cQKFJ2b"
const FOLDER =
  "If the job is a folder of 'assay eval run', it continues in this process, with the file that it was run from."
const RUN_FOLDER = "./.assay-eval/capitals-20261120-174012"

/** `eval list|status|watch|logs|cancel|resume|retry-failed|delete` */
export function addEvalJobCommands(evaluation: Command, bind: Bind): void {
  addList(evaluation, bind)
  addCommand(evaluation, "status <job>", {
    summary: "print the progress of a job",
    examples: [`assay eval status ${JOB}`],
  }).action(bind(async () => (await import("./manage-job.ts")).showStatus))
  addWatch(evaluation, bind)
  addCommand(evaluation, "logs <job>", {
    summary: "print the log of a job, or of a folder with results",
    json: "print errors as JSON; the log is not changed",
    examples: [`assay eval logs ${JOB} --follow`, "assay eval logs ./results"],
  })
    .option("--tail <n>", "print only the last n lines", parseInteger(0))
    .option("--follow", "continue with new lines until the job has ended")
    .action(bind(async () => (await import("./print-log.ts")).printLog))
  addCommand(evaluation, "cancel <job>", {
    summary: "stop a job; its answers are kept",
    examples: [`assay eval cancel ${JOB}`],
  }).action(bind(async () => (await import("./manage-job.ts")).cancelJob))
  addCommand(evaluation, "resume <job>", {
    summary: "resume a job that failed or was cancelled: ask only rows without an answer",
    details: FOLDER,
    examples: [`assay eval resume ${JOB}`, `assay eval resume ${RUN_FOLDER}`],
  }).action(bind(async () => (await import("./manage-job.ts")).resumeJob))
  addCommand(evaluation, "retry-failed <job>", {
    summary: "ask again about the rows that failed",
    details: FOLDER,
    examples: [`assay eval retry-failed ${JOB}`, `assay eval retry-failed ${RUN_FOLDER}`],
  }).action(bind(async () => (await import("./manage-job.ts")).retryFailedRows))
  addCommand(evaluation, "delete <job>", {
    summary: "delete a job that has ended, and its results",
    examples: [`assay eval delete ${JOB} --yes`],
  })
    .option("-y, --yes", "delete without asking")
    .action(bind(async () => (await import("./manage-job.ts")).deleteJob))
}

function addList(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "list", {
    summary: "list the jobs of a server, newest first",
    examples: ["assay eval list --status RUNNING", "assay eval list --all --json"],
  })
    .option("-w, --workspace <name>", "only jobs of this workspace")
    .option("--status <status>", "only jobs with this status, such as RUNNING, COMPLETED or FAILED")
    .option("--search <text>", "only jobs whose configuration contains this text")
    .addOption(new Option("--sort <field>", "order; '-' before a field means descending").choices(SORTS))
    .option("--page <number>", "page to show", parseInteger(1))
    .option("--page-size <number>", "jobs per page", parseInteger(1, 100))
    .option("--all", "show all pages")
    .action(bind(async () => (await import("./list-evaluations.ts")).listEvaluations))
}

function addWatch(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "watch <job>", {
    summary: "follow a job to its end, and print its outcome",
    details:
      "After Ctrl-C the job keeps running. The exit code is 1 if the job or a gate fails, and 3 if a gate can't be decided or a condition puts the scores in doubt.",
    json: "print the outcome, or the error, as JSON",
    examples: [
      `assay eval watch ${JOB}`,
      `assay eval watch ${JOB} --gate 'capitals.mentions.string-check>=0.8' --out ./results`,
    ],
  })
    .option("--gate <gate>", "a limit such as task.metric.score>=0.8; can be repeated", collect)
    .option("--junit <file>", "write gates and conditions as JUnit XML")
    .option("--out <folder>", "download the results to this folder")
    .action(bind(async () => (await import("./watch-evaluation.ts")).watchEvaluation))
}
