import { spawn, type ChildProcess } from "node:child_process"
// Ends a group of processes; nothing of this process is read.
import { kill } from "node:process"
import { Writable } from "node:stream"
import { createLineSplitter } from "./create-line-splitter.ts"

interface CommandOptions {
  readonly command: readonly [string, ...string[]]
  readonly folder: string
  readonly variables: Readonly<Record<string, string>>
  /** What the command finds to read at its file descriptor 3. Absent: it has none. */
  readonly handed?: string
  readonly timeLimitMs: number
  readonly signal: AbortSignal
  /** Of standard output and standard error, as they come. */
  readonly onLine: (line: string) => void
  /** Between being asked to end and being ended. Default 5,000. */
  readonly graceMs?: number
  /** Told who leads the command's group of processes. What it throws ends the command. */
  readonly onStarted?: (pid: number) => Promise<void>
  /** Watches the command; `end` ends it at once, and says why. The answer ends the watch. */
  readonly watch?: (pid: number, end: (why: string) => void) => () => void
}

/** How a command ended. */
export type CommandEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly by: string }
  | { readonly kind: "too-slow" }
  | { readonly kind: "over-limit"; readonly what: string }
  | { readonly kind: "aborted" }
  | { readonly kind: "not-started"; readonly reason: string }

const GRACE_MS = 5000

/**
 * Runs a command without a shell, with nothing but the variables given, until it ends, its time is over or `signal` aborts.
 * It and all that it started are ended together, also where this process is killed.
 */
export async function runCommand(options: CommandOptions): Promise<CommandEnd> {
  const {
    command,
    folder,
    variables,
    handed,
    timeLimitMs,
    signal,
    onLine,
    graceMs = GRACE_MS,
    onStarted,
    watch,
  } = options
  if (signal.aborted) return { kind: "aborted" }
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...variables },
    stdio: ["ignore", "pipe", "pipe", ...(handed === undefined ? [] : ["pipe" as const])],
    shell: false,
    // A group of its own, so that what it starts can be ended with it.
    detached: true,
  })
  const endGuard = guardGroup(child)
  if (handed !== undefined) hand(child, handed)
  let stopped: "too-slow" | "aborted" | undefined
  let over: string | undefined
  let force: NodeJS.Timeout | undefined
  const stop = (why: "too-slow" | "aborted") => {
    if (stopped !== undefined || over !== undefined) return
    stopped = why
    endGroup(child, "SIGTERM")
    force = setTimeout(() => endGroup(child, "SIGKILL"), graceMs)
  }
  // It goes on using more while it would be asked to end.
  const endOver = (what: string) => {
    if (stopped !== undefined) return
    over = what
    endGroup(child, "SIGKILL")
  }
  const endWatch = child.pid === undefined ? undefined : watch?.(child.pid, endOver)
  const abort = () => stop("aborted")
  const timer = setTimeout(() => stop("too-slow"), timeLimitMs)
  signal.addEventListener("abort", abort, { once: true })
  try {
    const ending = ended(child, onLine)
    if (child.pid !== undefined) await onStarted?.(child.pid)
    const end = await ending
    if (over !== undefined) return { kind: "over-limit", what: over }
    return stopped === undefined ? end : { kind: stopped }
  } finally {
    clearTimeout(timer)
    clearTimeout(force)
    endWatch?.()
    signal.removeEventListener("abort", abort)
    // What it left behind has nobody any more who reads what it writes.
    endGroup(child, "SIGKILL")
    endGuard()
  }
}

/** Whether it is read or not. */
function hand({ stdio }: ChildProcess, text: string): void {
  const pipe = stdio[3]
  if (!(pipe instanceof Writable)) return
  pipe.on("error", () => {})
  pipe.end(text)
}

/** Waits for its input to end, which it does however this process ends. */
const GUARD = 'read -r _; kill -s KILL -- "-$1" 2>/dev/null'

/** Has a process of its own end the group if this process is killed. Returns what ends the guard. */
function guardGroup({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => {}
  const guard = spawn("/bin/sh", ["-c", GUARD, "guard", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
    detached: true,
  })
  // Where there is no shell, what is left is ended at the next start.
  guard.on("error", () => {})
  guard.stdin.on("error", () => {})
  guard.unref()
  return () => void guard.kill("SIGKILL")
}

function ended(child: ChildProcess, onLine: (line: string) => void): Promise<CommandEnd> {
  for (const stream of [child.stdout, child.stderr]) {
    const lines = createLineSplitter(onLine)
    stream?.on("data", (bytes: Uint8Array) => lines.write(bytes))
    stream?.on("end", () => lines.end())
  }
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ kind: "not-started", reason: reasonOf(error) }))
    child.once("exit", () => leaveOpenPipes(child))
    child.once("close", (code, by) =>
      resolve(code === null ? { kind: "killed", by: by ?? "a signal" } : { kind: "exited", code }),
    )
  })
}

/** How long lines still come of what it left behind. */
const LINGER_MS = 500

/** Whatever it started in the background may hold its output open for ever, also in a group of its own. */
function leaveOpenPipes(child: ChildProcess): void {
  const timer = setTimeout(() => {
    endGroup(child, "SIGKILL")
    for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  }, LINGER_MS)
  child.once("close", () => clearTimeout(timer))
}

function endGroup({ pid }: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return
  try {
    kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}

function reasonOf(error: Error): string {
  const code = "code" in error ? String(error.code) : ""
  if (code === "ENOENT") return "there is no such program (ENOENT)"
  return code === "EACCES" ? "it may not be run (EACCES)" : error.message
}
