import { parentPort, workerData } from "node:worker_threads"
import { isAssayError, messageOf } from "@assay/schemas/errors"
import type { StoredFile } from "@assay/storage"
import { describeCheckpoint } from "../describe/describe-checkpoint.ts"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"
import type { FromDescribeThread, ToDescribeThread } from "./describe-in-thread.ts"

// This file is the program of the thread that `describeInThread` starts. It describes one checkpoint, whose files the
// parent thread reads.
const waiting = new Map<number, (answer: ToDescribeThread) => void>()
let lastId = 0

function send(message: FromDescribeThread): void {
  parentPort?.postMessage(message, [])
}

function answerOf(id: number): Promise<ToDescribeThread> {
  return new Promise((resolve) => waiting.set(id, resolve))
}

const reader: CheckpointReader = {
  async *list(): AsyncGenerator<StoredFile> {
    const id = ++lastId
    for (;;) {
      const part = answerOf(id)
      send({ kind: "list", id })
      const answer = await part
      if (answer.kind !== "files" || answer.files.length === 0) return
      yield* answer.files
    }
  },
  async read(file, start, length) {
    const id = ++lastId
    const part = answerOf(id)
    send({ kind: "read", id, file, start, length })
    const answer = await part
    return answer.kind === "bytes"
      ? Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength)
      : Buffer.alloc(0)
  },
}

parentPort?.on("message", (message: ToDescribeThread) => {
  const take = waiting.get(message.id)
  waiting.delete(message.id)
  take?.(message)
})

try {
  const { names } = workerData as { readonly names: readonly string[] }
  send({ kind: "done", description: await describeCheckpoint(reader, names) })
} catch (error) {
  const isOurs = isAssayError(error)
  const message = messageOf(error)
  send({ kind: "failed", code: isOurs ? error.code : null, message, context: isOurs ? error.context : {} })
}
// An open port would keep the thread alive.
parentPort?.close()
