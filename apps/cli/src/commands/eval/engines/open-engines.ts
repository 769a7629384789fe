import { existsSync } from "node:fs"
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { engineRuns } from "@assay/executors"
import type { EnginePorts, EngineRun } from "./engine-types.ts"
import type { Context } from "../../../context.ts"
import { isProcessAlive } from "../../../is-process-alive.ts"
import { programOf } from "../../../program-words.ts"
import { isLocal } from "../../../is-folder-name.ts"
import { isBucket } from "../run-end.ts"
import { keyHostOptions } from "../../guard/inference-key.ts"
import { openRun, type RunStore } from "../shards/open-run.ts"
import { paceOptions } from "../shards/pace-location.ts"

/** Returns what engines use of the process. */
function enginePorts(context: Context): EnginePorts {
  const { cwd, env, sleep, cores, now } = context
  const { pid } = process
  return {
    cwd,
    env,
    sleep,
    cores,
    now,
    elapsed: () => performance.now(),
    pid,
    host: hostname(),
    isProcessAlive,
    endProcess,
    program: programOf(context),
    options: [...keyHostOptions(context), ...paceOptions(context)],
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGTERM")
  } catch {
    // It has ended.
  }
}

/** Opens the engines of a run. */
export function openEngines(context: Context, store: RunStore): EngineRun {
  return engineRuns.open(store, enginePorts(context))
}

/** Opens the run that a word names: a bucket, or a folder into which a job was cut. Undefined for anything else, such as a job of a server. */
export async function findCutRun(context: Context, word: string): Promise<RunStore | undefined> {
  if (isBucket(word)) return openRun(context, word)
  const isRun = isLocal(context, word) && existsSync(join(resolve(context.cwd, word), "plan.json"))
  return isRun ? openRun(context, word) : undefined
}
