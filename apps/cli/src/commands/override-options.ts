import type { JobOverrides } from "@assay/local"
import { Option, type Command } from "commander"
import { ALLOW_FOLDER, KEY_HOST, parseInteger, parseRate, parseRequestRate } from "./option-values.ts"

/** Adds options that replace values of the configuration. */
export function addOverrides(command: Command): Command {
  return command
    .option("--limit <n>", "maximum number of rows per dataset", parseInteger(1))
    .addOption(
      valueOf("parallelism", "--parallel <n>", "maximum number of requests in flight").argParser(parseInteger(1, 1024)),
    )
    .option("--rate <n>", "maximum number of requests a second to each endpoint and key", parseRequestRate)
    .addOption(
      valueOf(
        "maxFail",
        "--max-failed <share>",
        "share of rows, from 0 to 1, that may fail before the job fails",
      ).argParser(parseRate),
    )
    .option(...KEY_HOST)
    .option(...ALLOW_FOLDER)
}

/** Returns an option whose value is kept under another name: that of the override in the record of a run. */
function valueOf(override: keyof JobOverrides, flags: string, description: string): Option {
  return Object.assign(new Option(flags, description), { attributeName: () => override })
}
