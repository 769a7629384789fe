import { sayText } from "../../../output/write-text.ts"
import { basename, dirname, extname, join, resolve } from "node:path"
import { localRuns } from "@assay/local"
import { formatArenaSummary } from "@assay/reports"
import { createProgressLine, formatArena } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { readArenaFile } from "@assay/evaluation-files"
import { AssayError } from "@assay/schemas/errors"
import { parseYaml } from "@assay/validation"
import { readLocalText, readStreamText } from "@assay/storage"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import { defaultWorkspace } from "../../../open-client.ts"
import { withKeyHosts } from "../../guard/inference-key.ts"
import { print } from "../../print.ts"
import { checkReports, isOnStdout, type SummaryOption, writeSummary } from "../../summary/write-summary.ts"
import { allowedFiles, type FolderOptions } from "../file/read-evaluation.ts"
import { shownPath } from "../run-end.ts"
import { localPorts } from "../run-here.ts"

type ArenaProgress = Parameters<Parameters<typeof localRuns.arena>[1]["onProgress"]>[0]

export interface ArenaCommandOptions extends SummaryOption, FolderOptions {
  readonly out?: string
  readonly dataDir: string
  readonly all?: boolean
  readonly limit?: number
  readonly maxCalls?: number
  readonly parallel: number
  readonly fresh?: boolean
  readonly replayOnly?: boolean
  readonly keyHost?: readonly string[]
}

/** Runs `assay eval arena <file>`: compares models by a judge of pairs until the best are certain. Exit code 3 if they are not. */
export async function runArenaFile(given: Context, name: string, options: ArenaCommandOptions): Promise<ExitCode> {
  const context = withKeyHosts(given, options.keyHost)
  context.keepHeapSmall()
  await checkReports(context, options)
  const { cwd, stdin, signal } = context
  const { all = false, fresh = false, replayOnly = false } = options
  if (fresh && replayOnly) {
    throw new AssayError("bad_usage", "--replay-only reads kept answers, and --fresh ignores them: leave one out.")
  }
  const path = name === "-" ? undefined : resolve(cwd, name)
  const source = path === undefined ? await readStreamText(stdin, signal) : await readLocalText(path, signal)
  const arena = readArenaFile(parseYaml(source, path === undefined ? "stdin" : printable(name)))
  const shortName = path === undefined ? "stdin" : basename(path, extname(path))
  const out = resolve(cwd, options.out ?? join(options.dataDir, `arena-${shortName}`))
  const progress = showProgress(context, options.json === true)
  const allowed = allowedFiles(context, options)
  const report = await localRuns
    .arena(localPorts(context, { prices: undefined }), {
      arena,
      workspace: defaultWorkspace(context),
      folder: path === undefined ? cwd : dirname(path),
      allowed: { ...allowed, folders: [cwd, ...allowed.folders] },
      out,
      isExhaustive: all,
      isFresh: fresh,
      isReplayOnly: replayOnly,
      maxRows: options.limit,
      maxCalls: options.maxCalls,
      parallelism: options.parallel,
      signal,
      onProgress: (one) => progress.show(one),
    })
    .finally(() => progress.clear())
  await writeSummary(context, options, () => () => formatArenaSummary(report))
  if (!isOnStdout(options)) {
    await print(
      context,
      options,
      report,
      (found) => `${formatArena(found)}Results are in ${shownPath(context, out)}.\n`,
    )
  }
  return report.top === null ? EXIT.inconclusive : EXIT.done
}

/** Files and pipes get a line at most this often. */
const LINE_MS = 10_000

/** Shows how far an arena is: on one line of a terminal, or as lines of a log. */
function showProgress(
  context: Context,
  isJson: boolean,
): Pick<ReturnType<typeof createProgressLine<ArenaProgress>>, "show" | "clear"> {
  if (isJson) return { show: () => undefined, clear: () => undefined }
  const line = createProgressLine(context, formatProgress)
  let last = context.now()
  return {
    show(progress) {
      line.show(progress)
      if (context.isTerminal.stderr || context.now() - last < LINE_MS) return
      last = context.now()
      sayText(context.stderr, `${formatProgress(progress)}\n`)
    },
    clear: () => line.clear(),
  }
}

const SHOWN = 5

function formatProgress({ rows, calls, answers, open }: ArenaProgress): string {
  const names = open.length > SHOWN ? `${open.length} models are open` : `open: ${open.join(", ")}`
  return `row ${rows.drawn} of ${rows.total}  ${calls} judge calls  ${answers} answers  ${names}`
}
