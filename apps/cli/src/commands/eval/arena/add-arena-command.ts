import type { Command } from "commander"
import type { Bind } from "../../action.ts"
import { addCommand } from "../../add-command.ts"
import { ALLOW_FOLDER, KEY_HOST, parseInteger, SUMMARY } from "../../option-values.ts"

/** How many requests are in flight by default. */
const PARALLEL = 8

/** Declares `eval arena`. */
export function addArenaCommand(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "arena <file>", {
    summary: "find the best of several models by a judge that compares two answers at a time",
    server: false,
    details:
      "FILE is YAML or JSON with models (addresses as URL#NAME, or folders of results), dataset, judge, and params with template, top and alpha; `assay schema arena` has every key. " +
      "Rows are drawn in random order. On each row, the strongest models meet all that can still be the best, and the judge sees each pair in both orders. The arena ends when the best model, or the best `top` ones, are certain at alpha. " +
      "Answers are asked once and kept in the folder of the results: the same command continues an interrupted arena and asks for none again.\n\n" +
      "The exit code is 0 if the best are certain, and 3 if the rows or a limit do not decide.",
    json: "print the result, or the error, as JSON",
    examples: [
      "assay eval arena examples/arena/arena.yaml",
      "assay eval arena arena.yaml --out ./arena --limit 200 --summary arena.md",
      "assay eval arena arena.yaml --all --json",
    ],
  })
    .option("--out <folder>", "folder for answers and results; default: one in --data-dir with the name of FILE")
    .option("--data-dir <folder>", "folder for the runs of this machine", "./.assay-eval")
    .option("--all", "ask everything: each two models meet on each row, and the end decides")
    .option("--limit <n>", "maximum number of rows", parseInteger(1))
    .option("--max-calls <n>", "maximum number of questions to the judge", parseInteger(2))
    .option("--parallel <n>", "maximum number of requests in flight", parseInteger(1, 1000), PARALLEL)
    .option("--fresh", "ask for answers of an earlier arena in the folder again")
    .option("--replay-only", "send nothing: a request without a kept answer fails")
    .option(...KEY_HOST)
    .option(...ALLOW_FOLDER)
    .option(...SUMMARY)
    .action(bind(async () => (await import("./run-arena.ts")).runArenaFile))
}
