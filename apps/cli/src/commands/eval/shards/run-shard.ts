import { cutRuns } from "@assay/local"
import { createProgressReporter, formatCount } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import type { JsonOption } from "../../action.ts"
import { withKeyHosts } from "../../guard/inference-key.ts"
import { print } from "../../print.ts"
import { openRun, runPorts } from "./open-run.ts"
import { withPace } from "./pace-location.ts"
import { openPaces } from "./run-pace.ts"

/** Options of `assay eval shard`. */
export interface ShardOptions extends JsonOption {
  readonly index?: number
  readonly indexes?: string
  readonly keyHost?: readonly string[]
  readonly pace?: string
}

/** Runs `assay eval shard <run>`: asks the rows of one shard. Exit code 1 if they could not be asked. */
export async function runShard(given: Context, written: string, options: ShardOptions): Promise<ExitCode> {
  const context = withPace(withKeyHosts(given, options.keyHost), options.pace)
  context.keepHeapSmall()
  const index = cutRuns.indexOf(options, context.env)
  const reporter = createProgressReporter(context, options)
  const store = await openRun(context, written)
  await using shared = await openPaces(context, {
    workspaceOf: async () => (await cutRuns.plan(store)).job.namespace,
    say: (note) => reporter.say(note),
  })
  const end = await cutRuns
    .runShard(runPorts(context), store, {
      index,
      paces: shared?.paces,
      onNotShared: (message) => reporter.say(message),
      onProgress: (progress) => reporter.show(progress),
      onLog: ({ level, message }) => {
        if (level === "error") reporter.say(printable(message))
      },
      signal: context.signal,
    })
    .finally(() => reporter.end())
  await print(context, options, { index, ...end }, () => {
    if (end.kind === "failed") return `shard ${index} failed: ${printable(end.message)}\n`
    const { processed, failed } = end.progress
    if (processed === 0 && !end.isFirst) return `shard ${index} is done already\n`
    const bad = failed === 0 ? "" : `, ${failed} of them failed`
    const other = end.isFirst ? "" : "; another process had published them"
    return `shard ${index}: ${formatCount(processed, "row")}${bad}${other}\n`
  })
  return end.kind === "failed" ? EXIT.no : EXIT.done
}
