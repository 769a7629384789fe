import { InvalidArgumentError, type Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect } from "../collect.ts"

const PLACES =
  "A job is an id of the server, or a folder with results on this machine, which begins with '.', '/' or '~'."

/** `eval results|download|explain|compare` */
export function addEvalResultCommands(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "results <job>", {
    summary: "print the scores of a job with their intervals",
    details: `${PLACES} The exit code is 1 when a gate fails, and 3 when one can't be told.`,
    examples: [
      "assay eval results eval-3QJmnh8Y1kGqvS4cQKFJ2b",
      "assay eval results ./results --gate 'capitals.mentions.string-check>=0.8'",
    ],
  })
    .option("--gate <gate>", "a limit such as task.metric.score>=0.8; may be given several times", collect)
    .action(bind(async () => (await import("./show-results.ts")).showResults))
  addCommand(evaluation, "download <job> [file]", {
    summary: "fetch the results of a job as a zip, or as files",
    details: "The zip is called after the job unless FILE names it; '-' writes it to stdout.",
    examples: [
      "assay eval download eval-3QJmnh8Y1kGqvS4cQKFJ2b results.zip",
      "assay eval download eval-3QJmnh8Y1kGqvS4cQKFJ2b --folder ./results",
    ],
  })
    .option("--folder <folder>", "fetch the files there instead of a zip")
    .action(bind(async () => (await import("./download-results.ts")).downloadResults))
  addCommand(evaluation, "explain <job>", {
    summary: "say what happened in a job, what shows it, and what to do",
    details: PLACES,
    examples: ["assay eval explain eval-3QJmnh8Y1kGqvS4cQKFJ2b"],
  }).action(bind(async () => (await import("./show-results.ts")).explainEvaluation))
  addCompare(evaluation, bind)
}

function addCompare(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "compare <jobs...>", {
    summary: "hold jobs against the first of them, row by row",
    details:
      `${PLACES} Paired intervals and exact tests over the rows that both scored. The exit code is 0 for PASS (no score is worse by more than the margin, or ` +
      "all results are equal), 1 for FAIL (a score is), and 3 for INCONCLUSIVE (too few rows to tell).",
    examples: [
      "assay eval compare eval-3QJmnh8Y1kGqvS4cQKFJ2b eval-7VbT1yTnUZsPzq9mLwR4Xk",
      "assay eval compare ./before ./after --margin 0.02",
    ],
  })
    .option("--margin <number>", "how much worse a score may be, in its own unit", parseMargin, 0)
    .action(bind(async () => (await import("./compare-evaluations.ts")).compareEvaluations))
}

function parseMargin(text: string): number {
  const margin = Number(text)
  if (text.trim() !== "" && margin >= 0 && Number.isFinite(margin)) return margin
  throw new InvalidArgumentError("Give a number from 0 on, such as 0.02.")
}
