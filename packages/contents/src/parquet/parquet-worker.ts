import { parentPort, workerData } from "node:worker_threads"
import type { AsyncBuffer } from "hyparquet"
import { createParquetReader } from "./parquet-reader.ts"
import { ParquetFault } from "./parquet-fault.ts"
import type { FromParquetThread, ToParquetThread } from "./parquet-messages.ts"

// The whole of a thread: it reads one file, whose bytes it asks the other side for.
const wanted = new Map<number, (bytes: ArrayBuffer | null) => void>()
const send = (message: FromParquetThread) => parentPort?.postMessage(message, [])
let lastId = 0

const file: AsyncBuffer = {
  byteLength: (workerData as { readonly size: number }).size,
  slice(start, end = file.byteLength) {
    const id = ++lastId
    const part = new Promise<ArrayBuffer>((resolve, reject) => {
      wanted.set(id, (bytes) => (bytes === null ? reject(new ParquetFault("its bytes can't be had")) : resolve(bytes)))
    })
    // The reader asks for many parts ahead, and forgets about the others when one of them fails.
    part.catch(() => {})
    send({ kind: "want", id, start, end })
    return part
  },
}
const reader = createParquetReader(file)

parentPort?.on("message", (message: ToParquetThread) => {
  if (message.kind === "part") {
    wanted.get(message.id)?.(message.bytes)
    wanted.delete(message.id)
  } else if (message.kind === "open") {
    void reader.open().then(send)
  } else {
    void reader.read(message.start, message.end).then(send)
  }
})
