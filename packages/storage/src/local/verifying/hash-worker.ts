import { createHash, type Hash } from "node:crypto"
import { parentPort } from "node:worker_threads"
import type { FromHashThread, ToHashThread } from "./hash-thread.ts"

const hashes = new Map<number, Hash>()
const send = (message: FromHashThread) => parentPort?.postMessage(message, [])

/** Hashes pieces of several files, in order of arrival. Every message except a cancellation is answered. */
parentPort?.on("message", ({ id, bytes, isCancelled }: ToHashThread) => {
  if (isCancelled === true) {
    hashes.delete(id)
    return
  }
  const hash = hashes.get(id) ?? createHash("sha256")
  if (bytes === undefined) {
    hashes.delete(id)
    send({ id, sha256: hash.digest("hex") })
  } else {
    hashes.set(id, hash.update(bytes))
    send({ id })
  }
})
