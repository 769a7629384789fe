import type { Command } from "commander"
import { PACE, parseInteger } from "../../option-values.ts"

/** Says in the help of `eval run` what an engine is. */
export const ENGINE_HELP =
  "With --executor or --profile, the job is cut into shards, which an engine runs: 'local' starts processes of this machine, 'slurm' tasks of a job array, 'kubernetes' pods of a Job, and 'command' a command of the profile. --out is then a folder or s3://bucket/prefix that all of them reach. " +
  "A profile is below 'profiles:' in the YAML file that ASSAY_EXECUTORS names, or else in ./executors.yaml: 'executor', the keys of that executor, and 'program', 'shards', 'at_once' and 'retries'. " +
  "A server is then asked for filesets and guardrails alone. Ctrl-C ends all of its processes, unless they were submitted with --detach; answered rows are kept. The same command again submits only shards without rows."

/** Adds options about the engine that runs shards of a job. */
export function addEngineOptions(command: Command): Command {
  return command
    .option(
      "--executor <name>",
      "cut the job into shards, and run them on this engine: local, slurm, kubernetes or command",
    )
    .option("--profile <name>", "the same, with a profile of the file in ASSAY_EXECUTORS, or of ./executors.yaml")
    .option(
      "--shards <n>",
      "with an engine: number of shards; default: cores of this machine for local, else 16",
      parseInteger(1, 100_000),
    )
    .option("--at-once <n>", "with an engine: shards that run at the same time", parseInteger(1, 100_000))
    .option(
      "--retries <n>",
      "with an engine: how often a shard that ends without its rows is run again; default: 3",
      parseInteger(0, 100),
    )
    .option(...PACE)
    .option("--detach", "with an engine: submit, print how to follow, and return")
    .option("--render", "with an engine: cut the job, print what would be submitted, and submit nothing")
}
