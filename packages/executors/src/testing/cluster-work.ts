import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import type { Executor, ShardProcess, ShardWork, Submission } from "../executor.ts"
import type { TestCluster } from "./start-test-cluster.ts"

/** Returns work whose program is a script of Node that gets the words after it. */
export function workOf({ folder }: TestCluster, script: string, changes: Partial<ShardWork> = {}): ShardWork {
  return {
    run: `${folder}/run`,
    id: "eval-3f9a0c11d2aa",
    name: "mmlu",
    count: 4,
    indexes: [0, 1, 2, 3],
    atOnce: 4,
    program: [process.execPath, "-e", script, "--"],
    options: [],
    merges: false,
    retries: 0,
    ...changes,
  }
}

/** A script that never ends. */
export const ENDLESS = "setTimeout(() => {}, 1e6)"

/** Looks at the shards of a submission until a condition is true. */
export async function untilShards(
  executor: Executor,
  submission: Submission,
  isDone: (all: readonly ShardProcess[]) => boolean,
): Promise<readonly ShardProcess[]> {
  for (;;) {
    const all = await executor.look(submission, new AbortController().signal)
    if (isDone(all)) return all
    await pause(20)
  }
}

/** Returns a condition that all shards have a state. */
export function allAre(state: ShardProcess["state"]): (all: readonly ShardProcess[]) => boolean {
  return (all) => all.every((one) => one.state === state)
}
