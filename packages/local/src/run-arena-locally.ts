import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { recordings, runArena } from "@assay/evaluation"
import { type ArenaReport, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { writeWholeFile } from "@assay/storage"
import { localDatasets } from "./dataset-paths.ts"
import { checkRowFiles } from "./file/check-row-files.ts"
import { type AllowedFiles, openFolders } from "./file/open-folders.ts"
import { createLocalEnvironment, type LocalPorts } from "./local-environment.ts"

type ArenaOptions = Parameters<typeof runArena>[0]
type ArenaMatchLine = Parameters<NonNullable<ArenaOptions["onMatch"]>>[0]

export interface RunArenaLocallyOptions extends Omit<ArenaOptions, "environment" | "onMatch"> {
  /** Absolute path of the folder that local paths are relative to. */
  readonly folder: string
  /** Absolute paths of folders, besides that one, whose rows the arena may have. */
  readonly allowed: AllowedFiles
  /** Absolute path of the folder for answers and results. */
  readonly out: string
  /** Ask for recorded answers again. Default false. */
  readonly isFresh?: boolean
  /** Send nothing: a request without a recorded answer fails. Default false. */
  readonly isReplayOnly?: boolean
}

const ANSWERS = "answers"
const REPORT = "arena.json"

/**
 * Runs an arena in this process, and writes `arena.json` and `matches.jsonl` to a folder. Answers are kept in its folder `answers` before they count, so that
 * the same arena asks for none of them again.
 * @throws `path_conflict` for a folder that no arena wrote
 */
export async function runArenaLocally(ports: LocalPorts, options: RunArenaLocallyOptions): Promise<ArenaReport> {
  const { folder, allowed, out, isFresh, isReplayOnly, workspace, ...arena } = options
  const { home } = ports
  await checkRowFiles(localDatasets(arena.arena), {
    ...allowed,
    folders: openFolders(folder, allowed.folders, home),
    home,
  })
  await checkFolder(out)
  const recording = recordings.open(join(out, ANSWERS), { isFresh, isReplayOnly })
  const folders = { folder, dataFolder: out, digests: new Map<string, string>(), recording }
  const environment = createLocalEnvironment(ports, folders, workspace, join(out, "work"))
  const matches: ArenaMatchLine[] = []
  const report = await runArena({ ...arena, workspace, environment, onMatch: (match) => matches.push(match) })
  await writeWholeFile(
    join(out, "matches.jsonl"),
    matches.map((match) => `${JSON.stringify(match)}\n`),
  )
  await writeWholeFile(join(out, REPORT), [`${JSON.stringify(report, null, 2)}\n`])
  return report
}

async function checkFolder(out: string): Promise<void> {
  if (!existsSync(out) || existsSync(join(out, REPORT)) || existsSync(join(out, ANSWERS))) return
  const [entry] = await readdir(out)
  if (entry === undefined) return
  const message = `'${printable(out)}' has files that no arena wrote, such as '${printable(entry)}': choose another folder for the results.`
  throw new AssayError("path_conflict", message)
}
