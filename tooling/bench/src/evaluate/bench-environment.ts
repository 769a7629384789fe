import { randomUUID } from "node:crypto"
import { basename } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createSchemaPool } from "@assay/contents"
import type { JobEnvironment } from "@assay/evaluation"
import { openLocalStorage, parseFilePath } from "@assay/storage"

/** Creates an environment whose datasets are the files of one folder. The last part of a `files_url` is the name of a file. */
export function benchEnvironment(folder: string): JobEnvironment {
  const nothing = () => Promise.reject(new Error("nothing of that kind is used here"))
  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal })
  return {
    async openDataset(dataset) {
      const filesUrl = typeof dataset === "string" ? dataset : dataset.text
      const pin = { files_url: filesUrl, fileset: "bench/rows", fileset_id: "bench", revision: null, files: [] }
      const storage = openLocalStorage({ type: "local", path: folder })
      return { storage, paths: [parseFilePath(basename(filesUrl))], metadata: undefined, pin }
    },
    schemas: createSchemaPool().as("bench"),
    resolveKey: () => Promise.resolve(undefined),
    resolveSecret: nothing,
    getGuardrail: nothing,
    inference: { now: () => performance.now(), random: Math.random, sleep },
    now: Date.now,
    random: Math.random,
    newId: (prefix) => `${prefix}-${randomUUID()}`,
    sleep,
    workFolder: folder,
  }
}
