import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect } from "../collect.ts"
import { parseInteger } from "../parse-integer.ts"
import { parseRate } from "../parse-rate.ts"

const FILE =
  "FILE is YAML or JSON with 'target' and 'config', written there or named as workspace/name, and optionally 'gates' and 'output'. Rows named " +
  "as ./rows.csv are read from beside it. A model's key comes from the variable that its 'api_key_env' names."

/** `eval run|launch` */
export function addEvalRunCommands(evaluation: Command, bind: Bind): void {
  addOverrides(
    addCommand(evaluation, "run <file>", {
      summary: "evaluate what a file describes, and print scores with their intervals",
      details:
        `Runs in this process unless --server or ASSAY_URL names a server: then rows of this machine are sent to a fileset there, and the job is launched and followed. ${FILE}\n\n` +
        "Launch checks come first, and tell all that is wrong at once. What was interrupted goes on when the same command is run again. Gates compare the whole interval: " +
        "the exit code is 1 when one fails or the job does, and 3 when there are too few rows to tell or a condition puts scores in doubt.",
      json: "print the outcome, or the error, as JSON",
      examples: [
        "assay eval run examples/evaluation/capitals.yaml",
        "assay eval run eval.yaml --limit 20 --watch",
        "assay eval run eval.yaml --gate 'capitals.mentions.string-check>=0.8' --junit junit.xml",
        "assay eval run eval.yaml --server http://127.0.0.1:8080 --out ./results",
      ],
    }),
  )
    .option("--server <url>", "run it there (ASSAY_URL)")
    .option("--local", "run it in this process, also where ASSAY_URL is set")
    .option("--data-dir <folder>", "where runs of this machine are kept", "./.assay-eval")
    .option("--out <folder>", "where the results go; absent: a folder of their own in --data-dir, or the server")
    .option("--gate <gate>", "a limit such as task.metric.score>=0.8; may be given several times", collect)
    .option("--junit <file>", "write gates and conditions as JUnit XML")
    .option("--skip-checks", "launch without checking first")
    .option("--fresh", "begin anew, also where a run of the same thing was interrupted")
    .option("--watch", "run again whenever the file or its rows change")
    .action(bind(async () => (await import("./run-evaluation.ts")).runEvaluation))
  addOverrides(
    addCommand(evaluation, "launch <file>", {
      summary: "launch a job on the server, and do not wait for it",
      details: FILE,
      json: "print the job, or the error, as JSON",
      examples: ["assay eval launch eval.yaml", "assay eval launch eval.yaml --limit 100 --skip-checks --json"],
    }),
  )
    .option("--server <url>", "the server (ASSAY_URL)")
    .option("--skip-checks", "launch without checking first")
    .action(bind(async () => (await import("./launch-evaluation.ts")).launchEvaluation))
}

/** Options that win over the file. */
function addOverrides(command: Command): Command {
  return command
    .option("--limit <n>", "take so many rows of each dataset at the most", parseInteger(1))
    .option("--parallelism <n>", "requests in flight", parseInteger(1, 1024))
    .option("--max-fail <share>", "share of rows that may fail before the job does", parseRate)
}
