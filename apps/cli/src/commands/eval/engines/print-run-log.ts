import { engineRuns } from "@assay/executors"
import { cutRuns } from "@assay/local"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { parseFilePath } from "@assay/storage"
import type { Context } from "../../../context.ts"
import { lastLines } from "../../../output/last-lines.ts"
import { writeText, writeTextBytes } from "../../../output/write-text.ts"
import { runWord } from "../run-end.ts"
import type { RunStore } from "../shards/open-run.ts"
import { openEngines } from "./open-engines.ts"
import type { JsonOption } from "../../action.ts"

export interface LogOptions extends JsonOption {
  readonly tail?: number
  readonly follow?: boolean
  /** The shard of a run that was cut, or of a job on a server. */
  readonly shard?: number
}

const LOG = parseFilePath("results/evaluation.log")

/** Prints the log of a run that was cut: of one of its shards, of its rows if it is merged, or else its failures. */
export async function printRunLog(
  context: Context,
  store: RunStore,
  { shard, tail, follow }: LogOptions,
): Promise<void> {
  if (follow === true) {
    const message = `--follow is for a job of a server: \`assay eval watch ${runWord(context, store)}\` follows a run.`
    throw new AssayError("bad_usage", message)
  }
  if (shard !== undefined) return printShardLog(context, store, shard, tail)
  const { merged, shards } = await cutRuns.state(store, context.signal)
  if (merged === undefined) return printFailures(context, store, shards, tail)
  const { bytes } = await store.storage.read(LOG).catch((error: unknown) => {
    if (!isAssayError(error, "not_found")) throw error
    const message = `The results of ${runWord(context, store)} were merged into another folder: \`assay eval logs FOLDER\` prints their log.`
    throw new AssayError("bad_usage", message)
  })
  await writeTextBytes(context.stdout, lastLines(bytes, tail))
}

/** Prints what the processes of a shard have written. */
async function printShardLog(
  context: Context,
  store: RunStore,
  index: number,
  tail: LogOptions["tail"],
): Promise<void> {
  const { shards } = await cutRuns.plan(store)
  if (index >= shards.length) {
    const which = shards.length === 1 ? "1 shard: 0" : `${shards.length} shards: 0 to ${shards.length - 1}`
    throw new AssayError("bad_usage", `There is no shard ${index}. The run has ${which}.`)
  }
  let isEmpty = true
  async function* written(): AsyncGenerator<string, void> {
    for await (const text of engineRuns.logs(openEngines(context, store), index, context.signal)) {
      if (text !== "") isEmpty = false
      yield text
    }
  }
  await writeTextBytes(context.stdout, lastLines(written(), tail))
  if (isEmpty) await writeText(context.stderr, `there is no output of shard ${index} yet, or its engine kept none\n`)
}

type ShardStates = Awaited<ReturnType<typeof cutRuns.state>>["shards"]

/** Prints the failures of a run whose results are not merged yet. */
async function printFailures(
  context: Context,
  store: RunStore,
  shards: ShardStates,
  tail: LogOptions["tail"],
): Promise<void> {
  const lines = shards.flatMap(({ index, failure }) => {
    if (failure === undefined) return []
    const at = new Date(failure.at).toISOString()
    return [`${at} ERROR shard ${index} (attempt ${failure.attempt}): ${failure.message}\n`]
  })
  await writeText(context.stdout, lines.slice(tail === undefined ? 0 : Math.max(0, lines.length - tail)).join(""))
  await writeText(
    context.stderr,
    `the log of all rows is written when the run is merged; \`assay eval logs ${runWord(context, store)} --shard N\` prints what the processes of a shard have written\n`,
  )
}
