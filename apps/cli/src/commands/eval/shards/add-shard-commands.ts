import type { Command } from "commander"
import type { Bind } from "../../action.ts"
import { addCommand } from "../../add-command.ts"
import { addRecordingOptions } from "../../recording-options.ts"
import { collect, FORCE, KEY_HOST, PACE, parseInteger, SUMMARY } from "../../option-values.ts"

const RUN =
  "RUN is a folder or s3://bucket/prefix, with the credentials, region and endpoint of the AWS_* variables. It is all that the processes of a run share."

type AddOverrides = (command: Command) => Command

/** Declares `eval cut|shard|merge`. */
export function addShardCommands(evaluation: Command, bind: Bind, addOverrides: AddOverrides): void {
  addCut(evaluation, bind, addOverrides)
  addShard(evaluation, bind)
  addMerge(evaluation, bind)
}

function addCut(evaluation: Command, bind: Bind, addOverrides: AddOverrides): void {
  const cut = addOverrides(
    addCommand(evaluation, "cut <file>", {
      summary: "cut the job of a file into shards, which any engine can run",
      server: "read filesets and guardrails of this server (ASSAY_URL)",
      details: `Runs the launch checks, pins the data, copies row files of this machine into the run, and writes its plan. ${RUN}`,
      json: "print the plan in short, or the error, as JSON",
      examples: [
        "assay eval cut eval.yaml --shards 64 --out ./run",
        "assay eval cut eval.yaml --shards 64 --at-once 8 --out s3://bucket/run",
        "assay eval cut eval.yaml --shards 4 --out ./recorded --recording ./answers",
      ],
    }),
  )
  addRecordingOptions(cut, "ask for recorded answers again")
    .requiredOption("--shards <n>", "number of shards; fewer if there are fewer rows", parseInteger(1, 100_000))
    .requiredOption("--out <run>", "folder or bucket of the new run")
    .option("--at-once <n>", "shards that run at the same time; they share the parallelism", parseInteger(1, 100_000))
    .option("--gate <gate>", "a limit such as equals>=0.8; can be repeated", collect)
    .option("--prices <file>", "a file with the prices of models (ASSAY_PRICES_FILE)")
    .option("--skip-checks", "cut without the launch checks")
    .option(...FORCE)
    .action(bind(async () => (await import("./cut-evaluation.ts")).cutEvaluation))
}

function addShard(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "shard <run>", {
    summary: "ask the rows of one shard, and publish them",
    server: "read filesets of this server (ASSAY_URL)",
    details:
      `Each answered row is kept within a second, so a shard that is run again asks only what is missing. ${RUN} ` +
      "The index is that of --index, or else of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX or NEL_SHARD_IDX. The exit code is 1 if the rows could not be asked.",
    examples: ["assay eval shard ./run --index 7", "SLURM_ARRAY_TASK_ID=7 assay eval shard s3://bucket/run"],
  })
    .option("--index <n>", "the shard, from 0", parseInteger(0))
    .option(
      "--indexes <list>",
      "the shards of an engine that counts its processes from 0, such as 0-4,7: its index picks one of them",
    )
    .option(...KEY_HOST)
    .option(...PACE)
    .action(bind(async () => (await import("./run-shard.ts")).runShard))
}

function addMerge(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "merge <run>", {
    summary: "compute the results of a run from its shards",
    server: "read filesets of this server (ASSAY_URL)",
    details: `Asks no model. The results are those of one process, whoever ran the shards. ${RUN} The exit code is 1 if a gate or the job fails, and 3 if a gate can't be decided or a condition puts the scores in doubt.`,
    json: "print the outcome, or the error, as JSON",
    examples: [
      "assay eval merge ./run",
      "assay eval merge s3://bucket/run --out ./results",
      "assay eval merge s3://bucket/run --wait 30 --resubmit 3",
    ],
  })
    .option("--out <folder>", "folder for the results; default: inside the run")
    .option(...FORCE)
    .option(
      "--wait <minutes>",
      "wait for missing shards, and end after this time without progress",
      parseInteger(1, 10_000),
    )
    .option(
      "--resubmit <n>",
      "submit missing shards again as `eval run` did, at most n times; the engine then merges again",
      parseInteger(0, 100),
    )
    .option(...KEY_HOST)
    .option(...PACE)
    .option("--junit <file>", "write gates and conditions as JUnit XML")
    .option(...SUMMARY)
    .action(bind(async () => (await import("./merge-run.ts")).mergeRun))
}
