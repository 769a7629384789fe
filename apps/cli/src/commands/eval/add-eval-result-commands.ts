import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect, parseMargin } from "../option-values.ts"

const JOB = "eval-3QJmnh8Y1kGqvS4cQKFJ2b"
const PLACES =
  "A job is an id of the server, or a folder with results on this machine. A folder begins with '.', '/' or '~'."

/** `eval results|download|explain|compare` */
export function addEvalResultCommands(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "results <job>", {
    summary: "print the scores of a job with their intervals",
    details: `${PLACES} The exit code is 1 if a gate fails, and 3 if a gate can't be decided.`,
    examples: [
      `assay eval results ${JOB}`,
      "assay eval results ./results --gate 'capitals.mentions.string-check>=0.8'",
    ],
  })
    .option("--gate <gate>", "a limit such as task.metric.score>=0.8; can be repeated", collect)
    .action(bind(async () => (await import("./show-results.ts")).showResults))
  addCommand(evaluation, "download <job> [file]", {
    summary: "download the results of a job as a zip archive, or as files",
    details: "Without FILE, the archive gets the name of the job. The FILE '-' means stdout.",
    examples: [`assay eval download ${JOB} results.zip`, `assay eval download ${JOB} --folder ./results`],
  })
    .option("--folder <folder>", "write the files to this folder instead of an archive")
    .action(bind(async () => (await import("./download-results.ts")).downloadResults))
  addCommand(evaluation, "explain <job>", {
    summary: "explain what happened in a job, with the evidence and what to do",
    details: PLACES,
    examples: [`assay eval explain ${JOB}`],
  }).action(bind(async () => (await import("./show-results.ts")).explainEvaluation))
  addCommand(evaluation, "compare <jobs...>", {
    summary: "compare jobs with the first of them, row by row",
    details:
      `${PLACES} The comparison uses paired intervals and exact tests over the rows that both jobs scored. The exit code is 0 for PASS (no score is worse by more than the margin, or ` +
      "all results are equal), 1 for FAIL (a score is worse), and 3 for INCONCLUSIVE (too few rows to decide).",
    examples: [
      `assay eval compare ${JOB} eval-7VbT1yTnUZsPzq9mLwR4Xk`,
      "assay eval compare ./before ./after --margin 0.02",
    ],
  })
    .option("--margin <number>", "how much worse a score may be, in the unit of the score", parseMargin, 0)
    .action(bind(async () => (await import("./compare-evaluations.ts")).compareEvaluations))
}
