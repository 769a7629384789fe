import { fork, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { AssayError } from "@assay/schemas/errors"
import { templateFault, type TemplateFault } from "@assay/templates"
import { programEnvironment, programFile, programOptions, watchProcess } from "@assay/isolation"
import type { RenderedConversation } from "./render-conversation.ts"
import type { SampleConversation } from "./sample-conversations.ts"
import { unreadable, type ProcessTask, type TemplateReport, type TemplateTask } from "./template-report.ts"

const MAX_PROCESSOR_MS = 5000
const MAX_START_MS = 30_000
const MAX_MEGABYTES = 64
/** The rest is for the JavaScript engine and its code. */
const MAX_RESIDENT_MEGABYTES = 512
/** Exit code of Node after an uncaught error. */
const UNCAUGHT = 1

/** Examines a template in a process with limits. @param maxProcessorMs replaces the 5 seconds */
export async function runTemplateProcess(
  task: TemplateTask,
  signal?: AbortSignal,
  maxProcessorMs?: number,
): Promise<TemplateReport> {
  return runProcess(task, unreadable, { signal, maxProcessorMs })
}

/** Renders a conversation in a process with limits. */
export async function renderInProcess(
  task: TemplateTask,
  conversation: SampleConversation,
  signal?: AbortSignal,
): Promise<RenderedConversation> {
  return runProcess({ ...task, conversation }, (fault) => ({ text: null, fault }), { signal })
}

interface ProcessLimits {
  readonly signal: AbortSignal | undefined
  readonly maxProcessorMs?: number | undefined
}

/**
 * Does a task with a template in a separate process without environment variables. A template is untrusted code, and one that
 * uses too much memory ends its process, even on a thread with a limit. The process is ended after 5 seconds of
 * processor time or above 64 MiB. Its start, about 0.1 s on an idle machine, is not counted, up to 30 seconds.
 * @param failed returns the result of a task that exceeds a limit
 * @throws the reason of `signal`
 */
async function runProcess<T>(
  task: ProcessTask,
  failed: (fault: TemplateFault) => T,
  { signal, maxProcessorMs = MAX_PROCESSOR_MS }: ProcessLimits,
): Promise<T> {
  signal?.throwIfAborted()
  const child = fork(programFile("template-process", import.meta.url), {
    env: programEnvironment(),
    execArgv: [`--max-old-space-size=${MAX_MEGABYTES}`, ...programOptions(import.meta.url)],
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
  // The process writes a line feed when it starts to work.
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
    if (code === 0) return JSON.parse(answer) as T
    if (isLate) return failed(tooMuch(`${maxProcessorMs / 1000} seconds`))
    if (code === UNCAUGHT) throw new AssayError("internal", "The process that examines chat templates has failed.")
    return failed(tooMuch(`${MAX_MEGABYTES} MiB`))
  } finally {
    clearTimeout(startTimer)
    stopWatch()
    signal?.removeEventListener("abort", end)
    end()
  }
}

async function talk(child: ChildProcess, task: ProcessTask) {
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new AssayError("internal", "A process was started without its pipes.")
  // If the process ends before it has read everything, its exit event reports it.
  stdin.on("error", () => {})
  stdin.end(JSON.stringify(task))
  const [answer, [code]] = await Promise.all([text(stdout), once(child, "close")])
  return { answer, code: code as number | null }
}

function tooMuch(what: string): TemplateFault {
  return templateFault(null, `takes more than ${what} to render`)
}
