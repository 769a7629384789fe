import { AssayError, printable } from "@assay/schemas"
import type { RunStore } from "./run/run-store.ts"
import type { Executor } from "./executor.ts"
import type { FollowOptions } from "./follow/open-follower.ts"
import { openSubmissions, type StoredSubmission, type Submissions } from "./follow/submissions.ts"
import { type Engines, watchEngines } from "./follow/watch-engines.ts"
import type { ProcessPorts } from "./processes/process-ports.ts"
import { loadExecutor } from "./profiles/executors.ts"
import { profileOfRun } from "./profiles/read-profile.ts"
import { quoteForShell } from "./run/quote-for-shell.ts"
import { trustedRequest } from "./profiles/trusted-profile.ts"

/** The parts of the process that following a run needs. */
export interface EnginePorts extends ProcessPorts {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** The words that started this process, such as `["node", "/opt/assay/main.js"]`. */
  readonly program: readonly string[]
  /** The options of shards that this user allows: `--key-host HOST` for each host that may get keys, and `--pace URL`. */
  readonly options: readonly string[]
}

/** A run and the engines that execute it. */
export interface EngineRun {
  readonly store: RunStore
  readonly submissions: Submissions
  readonly engines: Engines
  readonly executorOf: (stored: Pick<StoredSubmission, "executor" | "profile">) => Promise<Executor>
  readonly ports: EnginePorts
}

/** Opens the engines of a run. Nothing is read yet. */
export function openEngineRun(store: RunStore, ports: EnginePorts): EngineRun {
  const submissions = openSubmissions(store)
  const opened = new Map<string, Promise<Executor>>()
  const executorOf: EngineRun["executorOf"] = ({ executor, profile }) => {
    const key = JSON.stringify([executor, profile])
    const found = opened.get(key) ?? openExecutor(executor, profile, ports)
    opened.set(key, found)
    return found
  }
  return { store, submissions, executorOf, ports, engines: watchEngines({ submissions, executorOf, now: ports.now }) }
}

async function openExecutor(
  executor: string,
  { name, values }: StoredSubmission["profile"],
  ports: EnginePorts,
): Promise<Executor> {
  const profile = await profileOfRun({ executor, name, values })
  const opened = (await loadExecutor(executor)).create(profile.values, ports)
  if (executor !== "command") return opened
  return {
    ...opened,
    // Its profile can have a command for it.
    async cancel(submission) {
      await trustedRequest({ executor, profile: { name, values }, program: [], options: [] }, ports)
      await opened.cancel(submission)
    },
  }
}

/** The request of a user to an engine, without the shards that are missing. */
export type EngineRequest = NonNullable<FollowOptions["request"]>

/** Returns the refusal to follow a run that no engine has. */
export function notSubmitted({ location }: RunStore): AssayError {
  const word = printable(quoteForShell(location))
  const message = `No engine has shards of '${printable(location)}': submit them with \`assay eval run FILE --executor NAME --out ${word}\`, or run each with \`assay eval shard ${word} --index N\`.`
  return new AssayError("bad_usage", message)
}
