import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect, parseInteger, parseRate } from "../option-values.ts"

const FILE =
  "FILE is YAML or JSON with 'target' and 'config', and optionally 'gates' and 'output'. Target and config are objects, or names such as workspace/name. Row files such as ./rows.csv " +
  "are relative to FILE. The variable that 'api_key_env' of a model names contains its key."

/** `eval run|launch` */
export function addEvalRunCommands(evaluation: Command, bind: Bind): void {
  addOverrides(
    addCommand(evaluation, "run <file>", {
      summary: "run the evaluation that a file describes, and print scores with their intervals",
      details:
        `Runs in this process unless --server or ASSAY_URL names a server. With a server, the rows of this machine are sent to a fileset there, and the job is launched and followed. ${FILE}\n\n` +
        "Launch checks run first and report all faults at once. To resume an interrupted run, run the same command again. Gates compare the whole interval: " +
        "the exit code is 1 if a gate or the job fails, and 3 if there are too few rows to decide or a condition puts the scores in doubt.",
      json: "print the outcome, or the error, as JSON",
      examples: [
        "assay eval run examples/evaluation/capitals.yaml",
        "assay eval run eval.yaml --limit 20 --watch",
        "assay eval run eval.yaml --gate 'capitals.mentions.string-check>=0.8' --junit junit.xml",
        "assay eval run eval.yaml --server http://127.0.0.1:8080 --out ./results",
      ],
    }),
  )
    .option("--server <url>", "run on this server (ASSAY_URL)")
    .option("--local", "run in this process, even if ASSAY_URL is set")
    .option("--data-dir <folder>", "folder for the runs of this machine", "./.assay-eval")
    .option("--out <folder>", "folder for the results; default: a new folder in --data-dir, or only on the server")
    .option("--gate <gate>", "a limit such as task.metric.score>=0.8; can be repeated", collect)
    .option("--junit <file>", "write gates and conditions as JUnit XML")
    .option("--skip-checks", "run without the launch checks")
    .option("--fresh", "start a new run, even if a run of the same job was interrupted")
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
    .option("--skip-checks", "launch without the launch checks")
    .action(bind(async () => (await import("./launch-evaluation.ts")).launchEvaluation))
}

/** Adds options that replace values of the configuration. */
function addOverrides(command: Command): Command {
  return command
    .option("--limit <n>", "maximum number of rows per dataset", parseInteger(1))
    .option("--parallelism <n>", "maximum number of requests in flight", parseInteger(1, 1024))
    .option("--max-fail <share>", "share of rows, from 0 to 1, that may fail before the job fails", parseRate)
}
