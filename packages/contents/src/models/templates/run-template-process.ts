import { fork, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { AssayError } from "@assay/schemas"
import { templateFault } from "@assay/templates"
import { programFile } from "../../isolation/program-file.ts"
import { watchProcess } from "../../isolation/watch-process.ts"
import { unreadable, type TemplateReport, type TemplateTask } from "./template-report.ts"

const MAX_PROCESSOR_MS = 5000
const MAX_START_MS = 30_000
const MAX_MEGABYTES = 64
/** The engine and its code take the rest. */
const MAX_RESIDENT_MEGABYTES = 512
/** Exit code of Node after an error that nobody catches. */
const UNCAUGHT = 1

/**
 * Examines a template in a process of its own, without the environment of this one: a template is a program of somebody
 * else, and one that asks for too much memory takes its process down, even on a thread with a limit. It is ended after 5
 * seconds of processor time, or when it takes more than 64 MiB. Its start, which takes about 0.1 s on an idle machine, is not
 * counted up to 30 seconds.
 * @param maxProcessorMs instead of the 5 seconds
 * @throws the reason of `signal`
 */
export async function runTemplateProcess(
  task: TemplateTask,
  signal?: AbortSignal,
  maxProcessorMs = MAX_PROCESSOR_MS,
): Promise<TemplateReport> {
  signal?.throwIfAborted()
  const child = fork(programFile("template-process", import.meta.url), {
    env: {},
    execArgv: [`--max-old-space-size=${MAX_MEGABYTES}`],
    stdio: ["pipe", "pipe", "ignore", "ipc"],
  })
  let isLate = false
  const end = () => child.kill("SIGKILL")
  const endLate = () => {
    isLate = true
    end()
  }
  const startTimer = setTimeout(endLate, MAX_START_MS)
  let stopWatch = () => {}
  // The process writes the end of a line when it begins to work.
  child.stdout?.once("readable", () => {
    clearTimeout(startTimer)
    if (child.pid === undefined) return
    const limits = { cpuMs: maxProcessorMs, memoryMb: MAX_RESIDENT_MEGABYTES }
    stopWatch = watchProcess(child.pid, { limits, onOver: (limit) => (limit === "time" ? endLate() : end()) })
  })
  signal?.addEventListener("abort", end, { once: true })
  try {
    const { answer, code } = await talk(child, task)
    signal?.throwIfAborted()
    if (code === 0) return JSON.parse(answer) as TemplateReport
    if (isLate) return tooMuch(`${maxProcessorMs / 1000} seconds`)
    if (code === UNCAUGHT) throw new AssayError("internal", "The process that examines chat templates has failed.")
    return tooMuch(`${MAX_MEGABYTES} MiB`)
  } finally {
    clearTimeout(startTimer)
    stopWatch()
    signal?.removeEventListener("abort", end)
    end()
  }
}

async function talk(child: ChildProcess, task: TemplateTask) {
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new AssayError("internal", "A process was started without its pipes.")
  // A process that ends before it has read everything says so by its exit.
  stdin.on("error", () => {})
  stdin.end(JSON.stringify(task))
  const [answer, [code]] = await Promise.all([text(stdout), once(child, "close")])
  return { answer, code: code as number | null }
}

function tooMuch(what: string): TemplateReport {
  return unreadable(templateFault(null, `takes more than ${what} to render`))
}
