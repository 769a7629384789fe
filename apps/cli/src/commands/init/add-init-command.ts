import { Argument, type Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect } from "../option-values.ts"
import { JUDGE_QUESTIONS } from "./judge-questions.ts"

/** Declares `init [evaluation|guardrail|ci]`. */
export function addInitCommand(program: Command, bind: Bind): void {
  addCommand(program, "init", {
    summary: "write an evaluation file, a guardrail or a CI job, after a few questions",
    details:
      "An evaluation asks for the rows, the model and the checks, and writes ./evaluation.yaml with comments and its JSON Schema. Each answer is checked at once: the columns of the file, the address of " +
      "the model and whether it answers, and the templates. Columns are proposed by their names, also in other languages, or by their values. Without rows it writes an example that runs without a model; " +
      "with the model 'fake', a run starts the built-in endpoint of `assay fake-endpoint`, and ends it. A guardrail writes ./guardrail.yaml with a model that judges and none that answers chats, except for self-check, where one does both; and ci a workflow that runs ./evaluation.yaml. --yes asks nothing. " +
      `--check takes a check of the file, such as 'equals: {{ answer }}' or 'latency < 2s', or the name of a question for a judge: ${Object.keys(JUDGE_QUESTIONS).join(", ")}.`,
    json: "print the names of the files that were written, or the error, as JSON; asks nothing",
    examples: [
      "assay init",
      "assay init --model fake --data questions.csv --yes --run",
      "assay init --model http://127.0.0.1:9000/v1#echo --data questions.csv --prompt '{{ question }}' --check 'equals: {{ answer }}' --yes",
      "assay init evaluation --data answers.csv --output '{{ answer_given }}' --check 'contains: {{ answer }}' --yes",
      "assay init guardrail --model http://127.0.0.1:9000/v1#self-check --yes",
      "assay init ci",
    ],
  })
    .addArgument(
      new Argument("[what]", "what to write").choices(["evaluation", "guardrail", "ci"]).default("evaluation"),
    )
    .option(
      "--model <url#name>",
      "the model that is asked, or that judges messages for a guardrail; fake for the built-in endpoint",
    )
    .option("--key <name>", "the variable or the secret with the key of the model")
    .option("--data <file>", "the rows: a file of this machine, or workspace/fileset#path")
    .option("--prompt <template>", "what is sent for each row, or a file such as ./prompt.txt")
    .option("--output <template>", "the answer that each row has already, instead of a model")
    .option("--check <check>", "a check, or the name of a question for a judge; can be repeated", collect)
    .option("--judge <url#name>", "the model that judges (default: the model that is asked)")
    .option("--gate <gate>", "a limit such as 'equals >= 0.8'; can be repeated", collect)
    .option("--out <file>", "the file to write")
    .option("-y, --yes", "ask nothing: options and proposals decide")
    .option("--run", "run the evaluation afterwards, without a question")
    .option("--force", "replace files that exist")
    .action(bind(async () => (await import("./init.ts")).init))
}
