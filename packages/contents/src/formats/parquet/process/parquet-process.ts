import process from "node:process"
import { Worker } from "node:worker_threads"
import type { FromParquetProcess, ToParquetProcess } from "./parquet-messages.ts"
import { createParquetReader, type ParquetReader } from "../decode/decode-row-groups.ts"
import { createWantedBytes, type WantedBytes } from "./wanted-bytes.ts"

// This file is the program of the process that `startParquetProcess` starts. It reads one file and asks the parent for
// its bytes.
let wanted: WantedBytes | undefined
let reader: ParquetReader | undefined

function send(message: FromParquetProcess): void {
  process.send?.(message)
}

function open(size: number): ParquetReader {
  wanted = createWantedBytes(size, (id, start, end) => send({ kind: "want", id, start, end }))
  reader = createParquetReader(wanted.file)
  return reader
}

process.on("message", (message: ToParquetProcess) => {
  switch (message.kind) {
    case "bytes":
      wanted?.add(message.id, message.bytes)
      return
    case "lost":
      wanted?.lose(message.id)
      return
    case "open":
      void open(message.size).open().then(send)
      return
    case "read":
      void reader?.read(message.start, message.end).then(send)
      return
    case "more":
      if (reader !== undefined) send(reader.more())
      return
    default:
  }
})
process.on("disconnect", () => process.exit())
// A decoder in an endless loop does not notice a disconnection. A second thread ends the process if the parent has
// died.
const PARENT_WATCH = `
const parent = process.ppid
setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 1000)`
new Worker(PARENT_WATCH, { eval: true }).unref()
send({ kind: "ready" })
