import { Option, type Command } from "commander"
import type { ListingSort } from "@assay/schemas"
import type { Bind, JsonOption } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect } from "../collect.ts"
import { parseInteger } from "../parse-integer.ts"
import type { DeleteJobOptions } from "./jobs/delete-job.ts"
import type { ListEvaluationsOptions } from "./jobs/list-evaluations.ts"
import type { LogOptions } from "./jobs/print-log.ts"
import type { Steering } from "./jobs/steer-job.ts"
import type { WatchOptions } from "./jobs/watch-evaluation.ts"

const SORTS = ["created_at", "-created_at", "updated_at", "-updated_at"] as const satisfies readonly ListingSort[]

/** `eval list|status|watch|logs|cancel|resume|retry-failed|delete` */
export function addEvalJobCommands(evaluation: Command, bind: Bind): void {
  addList(evaluation, bind)
  addCommand(evaluation, "status <job>", {
    summary: "say how far a job is",
    examples: ["assay eval status eval-3QJmnh8Y1kGqvS4cQKFJ2b"],
  }).action(
    bind(async (context, job: string, options: JsonOption) => {
      const { showStatus } = await import("./jobs/show-status.ts")
      return showStatus(context, job, options)
    }),
  )
  addWatch(evaluation, bind)
  addCommand(evaluation, "logs <job>", {
    summary: "print the log of a job, or of a folder with results",
    json: "print errors as JSON; the log stays as it is",
    examples: ["assay eval logs eval-3QJmnh8Y1kGqvS4cQKFJ2b --follow", "assay eval logs ./results"],
  })
    .option("--tail <n>", "the last so many lines alone", parseInteger(0))
    .option("--follow", "go on with new lines until the job has ended")
    .action(
      bind(async (context, job: string, options: LogOptions) => {
        const { printLog } = await import("./jobs/print-log.ts")
        return printLog(context, job, options)
      }),
    )
  addSteering(evaluation, bind, "cancel", "stop a job; what was answered is kept", "")
  addSteering(
    evaluation,
    bind,
    "resume",
    "go on with a job that failed or was cancelled: ask what has no answer yet",
    FOLDERS,
  )
  addSteering(evaluation, bind, "retry-failed", "ask again about the rows that failed", FOLDERS)
  addCommand(evaluation, "delete <job>", {
    summary: "delete a job that has ended, and its results",
    examples: ["assay eval delete eval-3QJmnh8Y1kGqvS4cQKFJ2b --yes"],
  })
    .option("-y, --yes", "do not ask")
    .action(
      bind(async (context, job: string, options: DeleteJobOptions) => {
        const { deleteJob } = await import("./jobs/delete-job.ts")
        return deleteJob(context, job, options)
      }),
    )
}

const FOLDERS = "A folder of 'assay eval run' goes on here, with the file that it was run from."

function addList(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "list", {
    summary: "list the jobs of a server, newest first",
    examples: ["assay eval list --status RUNNING", "assay eval list --all --json"],
  })
    .option("-w, --workspace <name>", "of this workspace alone")
    .option("--status <status>", "such as RUNNING, COMPLETED or FAILED")
    .option("--search <text>", "whose configuration holds this text")
    .addOption(new Option("--sort <field>", "a leading '-' means descending").choices(SORTS))
    .option("--page <number>", "page to show", parseInteger(1))
    .option("--page-size <number>", "jobs on a page", parseInteger(1, 100))
    .option("--all", "every page")
    .action(
      bind(async (context, options: ListEvaluationsOptions) => {
        const { listEvaluations } = await import("./jobs/list-evaluations.ts")
        return listEvaluations(context, options)
      }),
    )
}

function addWatch(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "watch <job>", {
    summary: "follow a job to its end, and print what came of it",
    details:
      "Ctrl-C leaves the job running. The exit code is 1 when the job or a gate fails, and 3 when a gate can't be decided or a condition puts scores in doubt.",
    json: "print the outcome, or the error, as JSON",
    examples: [
      "assay eval watch eval-3QJmnh8Y1kGqvS4cQKFJ2b",
      "assay eval watch eval-3QJmnh8Y1kGqvS4cQKFJ2b --gate 'capitals.mentions.string-check>=0.8' --out ./results",
    ],
  })
    .option("--gate <gate>", "a limit such as task.metric.score>=0.8; may be given several times", collect)
    .option("--junit <file>", "write gates and conditions as JUnit XML")
    .option("--out <folder>", "fetch the results there")
    .action(
      bind(async (context, job: string, options: WatchOptions) => {
        const { watchEvaluation } = await import("./jobs/watch-evaluation.ts")
        return watchEvaluation(context, job, options)
      }),
    )
}

function addSteering(evaluation: Command, bind: Bind, what: Steering, summary: string, details: string): void {
  addCommand(evaluation, `${what} <job>`, {
    summary,
    ...(details === "" ? {} : { details }),
    examples: [
      `assay eval ${what} eval-3QJmnh8Y1kGqvS4cQKFJ2b`,
      ...(details === "" ? [] : [`assay eval ${what} ./.assay-eval/capitals-20261120-174012`]),
    ],
  }).action(
    bind(async (context, job: string, options: JsonOption) => {
      const { steerJob } = await import("./jobs/steer-job.ts")
      return steerJob(context, what, job, options)
    }),
  )
}
