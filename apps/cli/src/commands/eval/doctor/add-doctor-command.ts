import { type Command, InvalidArgumentError } from "commander"
import type { Bind } from "../../action.ts"
import { addCommand } from "../../add-command.ts"
import { KEY_HOST, parseInteger } from "../../option-values.ts"
import { JOB } from "../example-job.ts"

/** Declares `eval doctor`. */
export function addDoctorCommand(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "doctor <results...>", {
    summary: "say whether the judge of results is any good",
    details:
      "RESULTS are jobs of the server or folders with results: for each score that a model gives, the command says whether gates can compare it, and on which agreement with people, biases and flips that stands. " +
      "Nothing is asked unless --ask is given, which asks only the judge, about stored outputs; its answers are kept, and later commands read them. Jobs of several models with labels also show self-preference, and what the labels do to their comparison.\n\n" +
      "RESULTS can also be one file of another tool: CSV, TSV, JSON, JSONL or Parquet. Columns with scores, labels of people, models, items, clusters, outputs, lengths and verdicts are found by their names and values. " +
      "For each question, the answer is a command or what is missing. With --out, the evaluation file that the commands run is written, with its rows beside it.",
    json: "print the findings, or the error, as JSON",
    examples: [
      "assay eval doctor ./results --labels people.jsonl",
      "assay eval doctor ./results --ask 2 --rows 50",
      "assay eval doctor ./results --ask 1 --swap reference,output",
      `assay eval doctor ${JOB} --json`,
      "assay eval doctor ./before ./after --labels people.jsonl",
      "assay eval doctor results.csv",
      "assay eval doctor results.jsonl --out results.yaml",
    ],
  })
    .option("--labels <place>", "the fileset or file with the labels; default as for 'assay label'")
    .option("--metric <metric>", "only this score: metric.score, or metric")
    .option("--ask <n>", "ask the judge so many times again about stored outputs", parseInteger(1, 20))
    .option(
      "--swap <fields>",
      "with --ask: the two texts that a judge compares, such as a,output; it is asked once more with them in the other order",
      parseSwap,
    )
    .option("--rows <n>", "with --ask: maximum number of rows of each task", parseInteger(1), 100)
    .option("--with <file>", "with --ask: the evaluation file with the endpoint and the key of the judge")
    .option(...KEY_HOST)
    .option("--data-dir <folder>", "folder in which answers to --ask are kept", "./.assay-eval")
    .option("--out <file>", "of a file of another tool: write the evaluation file that the commands run")
    .option("--force", "replace files that exist")
    .action(bind(async () => (await import("./doctor.ts")).doctor))
}

function parseSwap(text: string): readonly [string, string] {
  const [first = "", second = "", ...others] = text.split(",").map((field) => field.trim())
  if (first !== "" && second !== "" && first !== second && others.length === 0) return [first, second]
  throw new InvalidArgumentError("Give two different fields of the rows, or output, such as reference,output.")
}
