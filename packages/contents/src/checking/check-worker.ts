import { getHeapStatistics } from "node:v8"
import { parentPort } from "node:worker_threads"
import type { DatasetMetadata } from "@assay/schemas"
import { isAssayError, messageOf } from "@assay/schemas/errors"
import { parseExactJson } from "@assay/json"
import type { FromSchemaThread, SchemaJob, ToSchemaThread } from "./schema-messages.ts"
import { createSchemaWork } from "./schema-work.ts"

// This file is the program of a thread. It keeps compiled schemas between jobs.
/**
 * Heap size in bytes above which the compiled schemas are dropped, so that old jobs do not push a new one over its
 * limit.
 */
const MAX_KEPT_HEAP = 128 * 1024 * 1024
const work = createSchemaWork()
let wanted = (_metadata: DatasetMetadata) => {}

function send(message: FromSchemaThread, transferList: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferList)
}

async function learn(digest: string): Promise<void> {
  if (getHeapStatistics().used_heap_size > MAX_KEPT_HEAP) work.forgetAll()
  if (work.knows(digest)) return
  const metadata = await new Promise<DatasetMetadata>((resolve) => {
    wanted = resolve
    send({ kind: "want" })
  })
  work.learn(digest, metadata)
}

async function answer(digest: string, job: SchemaJob): Promise<void> {
  try {
    await learn(digest)
    const done = work.run(digest, job)
    const block = job.kind === "block" ? job.block : job.kind === "select" ? job.part.block : undefined
    send({ kind: "done", answer: done }, block === undefined ? [] : [block.bytes.buffer])
  } catch (error) {
    const message = messageOf(error)
    send({ kind: "failed", code: isAssayError(error) ? error.code : null, message })
  }
}

parentPort?.on("message", (message: ToSchemaThread) => {
  if (message.kind === "source") wanted(parseExactJson(message.metadata, "value").value as DatasetMetadata)
  else void answer(message.digest, message.job)
})
send({ kind: "ready" })
