import { Option, type Command } from "commander"
import type { ComparedRowSort } from "@assay/schemas"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { JOB } from "./example-job.ts"
import { ALLOW_FOLDER, collect, FORCE, KEY_HOST, parseInteger, parseMargin, SUMMARY } from "../option-values.ts"

const ROW_ORDERS = [
  "changed",
  "-changed",
  "difference",
  "-difference",
  "index",
  "-index",
] as const satisfies readonly ComparedRowSort[]
const LOCATIONS =
  "A job is an id of the server, or a folder with results on this machine. A folder exists, or begins with '.', '/' or '~'."

function addRows(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "rows <job>", {
    summary: "print rows of a job with their scores, also while it runs",
    details:
      `${LOCATIONS} With --against, both are of one kind. ` +
      "Sort by index, task, output, latency, condition, verdict, error, score:METRIC or, with --against, changed:METRIC; '-' before it means descending. METRIC is metric.score, or metric if it has one score. " +
      "A filter is a field, a sign and a value. Fields are score:METRIC and latency with <, <=, >, >= or =; condition, verdict and error with = or !=, where " +
      "'null' means none; and text with ~, which searches items and outputs.",
    examples: [
      `assay eval rows ${JOB} --sort score:accuracy --filter 'error=null'`,
      `assay eval rows ${JOB} --filter 'text~refund' --filter 'latency>2000'`,
      `assay eval rows ${JOB} --against eval-7VbT1yTnUZsPzq9mLwR4Xk --sort changed:accuracy`,
      `assay eval rows ${JOB} --csv --all`,
      `assay eval rows ${JOB} --row qa/12`,
      "assay eval rows ./results --sort score:contains --limit 5",
    ],
  })
    .option("--row <row>", "print one row whole: requests, answers and scores of every attempt")
    .option("--task <name>", "only rows of this task")
    .option("--sort <order>", "order of the rows", "index")
    .option("--filter <filter>", "a condition such as 'score:accuracy<0.5'; can be repeated", collect)
    .option("--against <job>", "show the scores of another job beside these")
    .option("--offset <n>", "number of rows to skip", parseInteger(0))
    .option("--limit <n>", "maximum number of rows; default 20", parseInteger(1, 1000))
    .option("--csv", "print CSV")
    .option("--all", "print every row; with --csv")
    .action(bind(async () => (await import("./listing/list-rows.ts")).listRows))
}

/** Declares `eval results|download|explain|rows|compare|rescore`. */
export function addEvalResultCommands(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "results <job>", {
    summary: "print the scores of a job with their intervals",
    details: `${LOCATIONS} The exit code is 1 if a gate fails, and 3 if a gate can't be decided.`,
    examples: [`assay eval results ${JOB}`, "assay eval results ./results --gate 'contains>=0.8'"],
  })
    .option(
      "--gate <gate>",
      "a limit such as equals>=0.8, task.metric.score>=0.8 or 'equals>=1 on these rows'; can be repeated",
      collect,
    )
    .option(...SUMMARY)
    .action(bind(async () => (await import("./show-results.ts")).showResults))
  addCommand(evaluation, "download <job> [file]", {
    summary: "download the results of a job as a zip archive, or as files",
    details: "Without FILE, the archive gets the name of the job. The FILE '-' means stdout.",
    examples: [`assay eval download ${JOB} results.zip`, `assay eval download ${JOB} --out ./results`],
  })
    .option("--out <folder>", "write the files to this folder instead of an archive")
    .option(...FORCE)
    .action(bind(async () => (await import("./download-results.ts")).downloadResults))
  addCommand(evaluation, "explain <job>", {
    summary: "explain what happened in a job, with the evidence and what to do",
    details: `${LOCATIONS} If a gate failed, up to three of the worst rows are shown.`,
    examples: [`assay eval explain ${JOB}`],
  }).action(bind(async () => (await import("./show-results.ts")).explainEvaluation))
  addRows(evaluation, bind)
  addCompare(evaluation, bind)
  addRescore(evaluation, bind)
}

/** Declares `eval rescore`. */
function addRescore(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "rescore <jobs...>", {
    summary: "compute the scores of stored outputs again by the metrics of a file",
    details:
      `${LOCATIONS} The target is not asked: metrics read the outputs that the jobs have, and a judge of the file is asked about them. So scores of earlier jobs are comparable with those of the present metrics. ` +
      "Tasks have the outputs of the task with their name.\n\n" +
      "Without --out, each JOB is one of a server, which launches a new job that names it as rescored_from: it is watched, compared and deleted like any other.\n\n" +
      "With --out, this machine computes the scores, also of folders. The results go to a folder like those of a run, and name the earlier job as rescored_from; several jobs get folders with their names below it. " +
      "An interrupted command is continued if it is given again. The exit code is 1 if a gate of the file fails.",
    examples: [
      `assay eval rescore ${JOB} --with eval.yaml`,
      "assay eval rescore ./before --with eval.yaml --out ./before-again",
      "assay eval rescore ./before ./after --with eval.yaml --out ./rescored",
      `assay eval rescore ${JOB} --with eval.yaml --out ./rescored --server http://127.0.0.1:8080`,
    ],
  })
    .requiredOption("--with <file>", "the evaluation file whose metrics and gates apply")
    .option("--out <folder>", "compute the scores here, and write the results to this folder")
    .option("--skip-checks", "without --out: launch without launch checks")
    .option(...FORCE)
    .option(...KEY_HOST)
    .option(...ALLOW_FOLDER)
    .action(bind(async () => (await import("./rescore/rescore-results.ts")).rescoreResults))
}

function addCompare(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "compare <jobs...>", {
    summary: "compare jobs with the first of them, row by row",
    details:
      `${LOCATIONS} The comparison uses paired intervals and exact tests over the rows that both jobs scored. The exit code is 0 for PASS (no score is worse by more than the margin, or ` +
      "all results are equal), 1 for FAIL (a score is worse), and 3 for INCONCLUSIVE (too few rows to decide) " +
      "and for a score that measures something else in another job, which has no verdict.\n\n" +
      "With --corrected, scores of judges are decided by the difference that people would see: from the judge's scores of all rows and labels of some rows of both jobs ('assay label next', 'assay label add'). " +
      "Answers that are the same in both jobs need no label. Without enough labels the exit code is 3, and the command says how many it takes.\n\n" +
      "With --rows, the command prints the rows that two jobs of a server have, with both outputs and the score that --metric names. Filters are about the rows of the second job.",
    examples: [
      `assay eval compare ${JOB} eval-7VbT1yTnUZsPzq9mLwR4Xk`,
      "assay eval compare ./before ./after --margin 0.02",
      "assay eval compare ./before ./after --margin 0.02 --corrected",
      `assay eval compare ${JOB} eval-7VbT1yTnUZsPzq9mLwR4Xk --rows --metric accuracy`,
    ],
  })
    .option("--margin <number>", "how much worse a score may be, in the unit of the score", parseMargin, 0)
    .option("--allow-changed", "decide also scores whose metric, or the model, prompt or parser of its judge, differs")
    .option("--corrected", "decide scores of judges by the difference that people would see, from labels")
    .option("--labels <place>", "with --corrected: the fileset or file with the labels; default: labels, labels.jsonl")
    .option(...SUMMARY)
    .option("--rows", "print the rows of both jobs side by side, the most changed first")
    .option("--metric <metric>", "the score that --rows compares: metric.score, or metric if it has one score")
    .option("--task <name>", "with --rows: only rows of this task")
    .addOption(new Option("--sort <order>", "with --rows: order of the rows").choices(ROW_ORDERS))
    .option("--filter <filter>", "with --rows: a condition such as 'error=null'; can be repeated", collect)
    .option("--offset <n>", "with --rows: number of rows to skip", parseInteger(0))
    .option("--limit <n>", "with --rows: maximum number of rows; default 20", parseInteger(1, 1000))
    .option("--csv", "with --rows: print CSV")
    .option("--all", "with --rows and --csv: print every row")
    .action(bind(async () => (await import("./compare-evaluations.ts")).compareEvaluations))
}
