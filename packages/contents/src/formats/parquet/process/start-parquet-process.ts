import { type ChildProcess, fork } from "node:child_process"
import { isAssayError } from "@assay/schemas/errors"
import { type LimitName, programEnvironment, programFile, programOptions, watchProcess } from "@assay/isolation"
import { createPartQueue, type ParquetFile } from "../parquet-ranges.ts"
import type { FromParquetProcess, ParquetAnswer, ParquetOrder, ToParquetProcess } from "./parquet-messages.ts"

export interface ParquetProcessOptions {
  readonly signal: AbortSignal | undefined
  /** Milliseconds of processor time for one order, without the start of the process. Default 30,000. */
  readonly patience?: number | undefined
}

export interface ParquetProcess {
  /** Sends one order. The previous one must be answered. */
  readonly ask: (order: ParquetOrder) => Promise<ParquetAnswer>
  readonly close: () => Promise<void>
}

const PATIENCE_MS = 30_000
/** Processor time for the whole file: this many orders, plus `MS_PER_MEBIBYTE` for each mebibyte. */
const ORDERS = 4
const MS_PER_MEBIBYTE = 10_000
const MEBIBYTE = 1024 * 1024
const HEAP_MEGABYTES = 512
/** Includes the bytes of the current row group and their decompressed pages. */
const MEMORY_MEGABYTES = 1024
const MEMORY_FAULT = `its pages take more than ${HEAP_MEGABYTES} MiB of memory to decode`

type Settled = ParquetAnswer | { readonly kind: "failure"; readonly error: unknown }

/**
 * Starts a process that reads `file`. The library trusts the pages: one wrong byte can cause an endless loop, fill the
 * memory or crash the engine. Then only this process ends, and the file is reported as faulty.
 * @throws from `ask`: what `file` throws, or the reason of `signal`
 */
export function startParquetProcess(file: ParquetFile, options: ParquetProcessOptions): ParquetProcess {
  const { signal, patience = PATIENCE_MS } = options
  const child = forkReader()
  const send = (message: ToParquetProcess) => sendTo(child, message)
  const parts = createPartQueue({ file, send, onFailure })
  let endFault: string | undefined
  let isReady = false
  let isAsked = false
  let settle = (_answer: Settled) => {}
  let stopWatch = () => {}
  const giveUp = (fault: string) => settle({ kind: "fault", fault })
  const fail = (error: unknown) => settle({ kind: "failure", error })
  const onAbort = () => fail(signal?.reason)

  function onFailure(id: number, error: unknown): void {
    if (isAssayError(error) || signal?.aborted === true) fail(error)
    else void send({ kind: "lost", id })
  }
  const watch = (cpuMs: number) =>
    watchReader(child, {
      cpuMs,
      isWaiting: () => !isAsked || parts.isBusy(),
      onOver(fault) {
        endFault = fault
        giveUp(fault)
        child.kill("SIGKILL")
      },
    })
  function onReady(): void {
    isReady = true
    if (isAsked) stopWatch = watch(patience)
  }
  const stopWholeWatch = watch(patience * ORDERS + Math.ceil((file.size / MEBIBYTE) * MS_PER_MEBIBYTE))

  listenTo(child, {
    onMessage(message) {
      if (message.kind === "want") parts.add(message)
      else if (message.kind === "ready") onReady()
      else settle(message)
    },
    onError: fail,
    onEnd(fault) {
      endFault ??= fault
      giveUp(endFault)
    },
  })
  signal?.addEventListener("abort", onAbort, { once: true })

  return {
    async ask(order) {
      signal?.throwIfAborted()
      const { promise, resolve } = Promise.withResolvers<Settled>()
      settle = resolve
      isAsked = true
      if (isReady) stopWatch = watch(patience)
      if (endFault === undefined) void send(order)
      else giveUp(endFault)
      try {
        return answerOf(await promise)
      } finally {
        isAsked = false
        stopWatch()
      }
    },
    async close() {
      stopWholeWatch()
      signal?.removeEventListener("abort", onAbort)
      parts.close()
      child.kill("SIGKILL")
    },
  }
}

/** @throws the error of a failure */
function answerOf(settled: Settled): ParquetAnswer {
  if (settled.kind === "failure") throw settled.error
  return settled
}

interface ReaderEvents {
  readonly onMessage: (message: FromParquetProcess) => void
  readonly onError: (error: Error) => void
  /** Called with the reason when the process has ended. */
  readonly onEnd: (fault: string) => void
}

function listenTo(child: ChildProcess, { onMessage, onError, onEnd }: ReaderEvents): void {
  child.on("message", onMessage)
  child.on("error", onError)
  // The engine ends a process that is out of memory with a signal.
  child.on("exit", (_code, name) => onEnd(name === null ? "its reader has ended" : MEMORY_FAULT))
}

interface ReaderLimits {
  readonly cpuMs: number
  readonly isWaiting: () => boolean
  readonly onOver: (fault: string) => void
}

/** Watches the processor time and memory of the process. Returns a function that ends the watch. */
function watchReader({ pid }: ChildProcess, { cpuMs, isWaiting, onOver }: ReaderLimits): () => void {
  if (pid === undefined) return () => {}
  return watchProcess(pid, {
    limits: { cpuMs, memoryMb: MEMORY_MEGABYTES },
    isWaiting,
    onOver: (limit: LimitName) =>
      onOver(limit === "time" ? `its pages take more than ${cpuMs} ms of processor time to decode` : MEMORY_FAULT),
  })
}

function forkReader(): ChildProcess {
  return fork(programFile("parquet-process", import.meta.url), {
    env: programEnvironment(),
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`, ...programOptions(import.meta.url)],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
}

function sendTo(child: ChildProcess, message: ToParquetProcess): Promise<void> {
  return new Promise((resolve) => {
    // If the process has ended, its exit event reports it.
    if (child.connected) child.send(message, () => resolve())
    else resolve()
  })
}
