import { randomBytes } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { testSchemas } from "@assay/scoring/testing"
import type { LaunchSubject } from "@assay/attempts"
import { runLocally } from "../../run-locally.ts"
import {
  type CutLocallyOptions,
  cutLocally,
  type CutRunPorts,
  mergeLocally,
  runShardLocally,
} from "../../cut-runs/local-processes.ts"
import type { RunStore } from "@assay/executors"
import { openTestRun } from "@assay/executors/testing"

/** Jobs of a test in a temporary folder, in one process and in shards. */
export interface TestRuns extends Disposable {
  /** Absolute path. */
  readonly folder: string
  readonly ports: CutRunPorts
  /** Runs a job in one process. Returns the absolute path of its folder. */
  runWhole(job: LaunchSubject, name: string): Promise<string>
  open(location: string): Promise<RunStore>
  cut(
    store: RunStore,
    job: LaunchSubject,
    options: Pick<CutLocallyOptions, "shards"> & Partial<CutLocallyOptions>,
  ): ReturnType<typeof cutLocally>
  shard(store: RunStore, index: number, signal?: AbortSignal): ReturnType<typeof runShardLocally>
  merge(store: RunStore, out?: string): ReturnType<typeof mergeLocally>
}

const NEVER = new AbortController().signal

export function createTestRuns(files: Readonly<Record<string, string>>): TestRuns {
  const root = mkdtempDisposableSync(join(tmpdir(), "assay-cut-"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root.path, name), text)
  const noServer = async (): Promise<never> => {
    throw new Error("This test has no server.")
  }
  const sleep = (ms: number, signal?: AbortSignal) => pause(ms, undefined, signal === undefined ? {} : { signal })
  const ports: CutRunPorts = {
    keys: { env: {}, isKeyHost: () => true, defaultVariable: "KEY" },
    home: root.path,
    filesets: { getFileset: noServer, openStorage: noServer },
    getGuardrail: noServer,
    readGuardrailFile: noServer,
    schemas: testSchemas(),
    // Requests that failed are sent again soon.
    inference: { now: () => performance.now(), random: Math.random, sleep: (ms, signal) => sleep(ms / 50, signal) },
    now: Date.now,
    random: Math.random,
    randomBytes,
    sleep,
    pid: 1,
    isProcessAlive: () => false,
    programs: { assay: "test" },
    host: "machine-1",
  }
  const nothing = (): void => {}
  return {
    folder: root.path,
    ports,
    async runWhole(job, name) {
      const out = join(root.path, name)
      const listener = {
        onWarnings: nothing,
        onEstimate: nothing,
        onResumed: nothing,
        onOtherInterrupted: nothing,
        onProgress: nothing,
        onLog: nothing,
        onRowsDone: nothing,
      }
      const common = { file: null, overrides: {}, folder: root.path, dataFolder: join(root.path, "runs"), gates: [] }
      await runLocally(ports, { ...common, job, name, out, skipChecks: true, fresh: true, listener, signal: NEVER })
      return out
    },
    open: (location) => openTestRun(root.path, location),
    cut: (store, job, options) =>
      cutLocally(ports, store, {
        job,
        name: "test",
        folder: root.path,
        gates: [],
        skipChecks: true,
        onWarnings: nothing,
        onEstimate: nothing,
        signal: NEVER,
        ...options,
      }),
    shard: (store, index, signal = NEVER) =>
      runShardLocally(ports, store, { index, onProgress: nothing, onLog: nothing, signal }),
    merge: (store, out) => mergeLocally(ports, store, { out, signal: NEVER }),
    [Symbol.dispose]: () => root.remove(),
  }
}
