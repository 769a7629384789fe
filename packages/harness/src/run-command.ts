import { spawn, type ChildProcess } from "node:child_process"
// Used to end a group of processes. No state of this process is read.
import { kill } from "node:process"
import { Writable } from "node:stream"
import { createLineSplitter } from "./harness-log.ts"

interface CommandOptions {
  readonly command: readonly [string, ...string[]]
  readonly folder: string
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The text that the command reads from its file descriptor 3. Absent: it has no such descriptor. */
  readonly handed?: string | undefined
  readonly timeLimitMs: number
  readonly signal: AbortSignal
  /** Called for each line of standard output and standard error. */
  readonly onLine: (line: string, stream: "stdout" | "stderr") => void
  /** Gets standard output as it is, instead of `onLine`. */
  readonly onOutput?: (bytes: Uint8Array) => void
  /** Gets the standard input of the command. Absent: it has none. */
  readonly onInput?: (input: Writable) => void
  /** Milliseconds between SIGTERM and SIGKILL. Default 5,000. */
  readonly graceMs?: number | undefined
  /** Called with the leader of the command's process group. If it throws, the command is ended. */
  readonly onStarted?: (pid: number) => Promise<void>
  /** Watches the command. `end` ends the command at once, with a reason. The returned function ends the watch. */
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
 * Runs a command without a shell and with only the given variables, until it ends, its time is over or `signal` aborts. The command
 * and every process that it started end together, even if this process is killed.
 */
export async function runCommand(options: CommandOptions): Promise<CommandEnd> {
  const { timeLimitMs, signal, graceMs = GRACE_MS, onStarted, watch } = options
  if (signal.aborted) return { kind: "aborted" }
  const child = start(options)
  const endGuard = guardGroup(child)
  let stopped: "too-slow" | "aborted" | undefined
  let over: string | undefined
  let force: NodeJS.Timeout | undefined
  const stop = (why: "too-slow" | "aborted") => {
    if (stopped !== undefined || over !== undefined) return
    stopped = why
    endGroup(child, "SIGTERM")
    force = setTimeout(() => endGroup(child, "SIGKILL"), graceMs)
  }
  // No SIGTERM first: meanwhile the command would use even more.
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
    const ending = ended(child, options)
    if (child.pid !== undefined) await onStarted?.(child.pid)
    const end = await ending
    if (over !== undefined) return { kind: "over-limit", what: over }
    return stopped === undefined ? end : { kind: stopped }
  } finally {
    clearTimeout(timer)
    clearTimeout(force)
    endWatch?.()
    signal.removeEventListener("abort", abort)
    // Ends processes that it left behind: their output is no longer read.
    endGroup(child, "SIGKILL")
    endGuard()
  }
}

function start({ command, folder, variables, handed, onInput }: CommandOptions): ChildProcess {
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...variables },
    stdio: [
      onInput === undefined ? "ignore" : "pipe",
      "pipe",
      "pipe",
      ...(handed === undefined ? [] : ["pipe" as const]),
    ],
    shell: false,
    // Its own process group, so that the processes it starts can be ended with it.
    detached: true,
  })
  if (handed !== undefined) hand(child, handed)
  if (child.stdin instanceof Writable) {
    // A command may end without reading its input.
    child.stdin.on("error", () => {})
    onInput?.(child.stdin)
  }
  return child
}

/** Writes to file descriptor 3, whether the command reads it or not. */
function hand({ stdio }: ChildProcess, text: string): void {
  const pipe = stdio[3]
  if (!(pipe instanceof Writable)) return
  pipe.on("error", () => {})
  pipe.end(text)
}

/** A shell script that waits for the end of its input, which comes however this process ends. */
const GUARD = 'read -r _; kill -s KILL -- "-$1" 2>/dev/null'

/** Starts a guard process that ends the group if this process is killed. Returns a function that ends the guard. */
function guardGroup({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => {}
  const guard = spawn("/bin/sh", ["-c", GUARD, "guard", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
    detached: true,
  })
  // Without a shell there is no guard. The processes that a killed process leaves are then ended at the next start.
  guard.on("error", () => {})
  guard.stdin.on("error", () => {})
  guard.unref()
  return () => void guard.kill("SIGKILL")
}

function ended(
  child: ChildProcess,
  { onLine, onOutput }: Pick<CommandOptions, "onLine" | "onOutput">,
): Promise<CommandEnd> {
  if (onOutput !== undefined) child.stdout?.on("data", onOutput)
  for (const name of onOutput === undefined ? (["stdout", "stderr"] as const) : (["stderr"] as const)) {
    const stream = child[name]
    const lines = createLineSplitter((line) => onLine(line, name))
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

/** How long the output of processes that it left behind is still read. */
const LINGER_MS = 500

/** Closes the output of a command that has exited. A background process may keep it open, even from another group. */
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
    // The group has already ended.
  }
}

function reasonOf(error: Error): string {
  const code = "code" in error ? String(error.code) : ""
  if (code === "ENOENT") return "there is no such program (ENOENT)"
  return code === "EACCES" ? "it may not be run (EACCES)" : error.message
}
