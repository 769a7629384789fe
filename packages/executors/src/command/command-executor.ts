import { AssayError, printable } from "@assay/schemas"
import { messageOf } from "@assay/schemas/errors"
import { runCommand } from "@assay/harness"
import { forEachParallel } from "@assay/storage"
import type { Executor, ShardWork } from "../executor.ts"
import type { ProcessPorts } from "../processes/process-ports.ts"
import { startProcesses } from "../processes/start-processes.ts"
import { createStartedProcesses, logsFolderOf, nameOfShard } from "../processes/started-processes.ts"
import { quoteForShell } from "../run/quote-for-shell.ts"
import type { CommandProfile } from "./command-profile.ts"
import { fillTemplate, placeholdersOf, splitWords, type TemplateValues } from "./command-template.ts"

/** Calls of a command that submits shards, at the same time. */
const SUBMITTED_AT_ONCE = 8
const SUBMIT_MS = 120_000
/** Characters of the last lines of a command that a message repeats. */
const SHOWN = 500
/** The name of the process that runs all shards. */
const ALL = "all"

interface Call {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

/**
 * Runs shards by a command of the user, which starts them on any other engine. The command of a profile is called once for each shard if it contains
 * `{index}`, and else once for all of them.
 */
export function createCommandExecutor(profile: CommandProfile, ports: ProcessPorts): Executor {
  const template = wordsOf(profile.command)
  const isForEach = placeholdersOf(template).has("index")
  const waits = profile.waits ?? true
  const started = createStartedProcesses(ports)
  const nameOf = (index: number) => (isForEach ? nameOfShard(index) : ALL)
  return {
    isTied: waits,
    render: async (work) => renderCalls(callsOf(template, work, isForEach), work, { isForEach, waits }),
    async submit(work, signal) {
      const { indexes, atOnce } = work
      const tasks = callsOf(template, work, isForEach)
      const given = { indexes, merges: false }
      if (!waits) return { ...given, ids: await submitAll(tasks, profile, ports, signal) }
      const logs = await logsFolderOf(work)
      const { cwd, env, sleep } = ports
      const processes = startProcesses(tasks, { atOnce, retries: 0, logs, cwd, env, sleep, signal })
      return { ...given, ids: await started.note(processes, logs) }
    },
    look: async (submission) => (waits ? started.look(submission, nameOf) : []),
    cancel: (submission) => (waits ? started.cancel(submission) : cancelAll(profile, submission.ids, ports)),
    async *logs(submission, index, signal) {
      if (waits) yield* started.logs(submission, nameOf(index), signal)
    },
  }
}

/** Returns what is wrong with the templates of a profile. Undefined: nothing. */
export function checkTemplates({
  command,
  cancel,
}: CommandProfile): { readonly key: string; readonly message: string } | undefined {
  const lists = { program: [], options: [], indexes: [] }
  const values = { run: "", count: "", at_once: "", name: "", index: "", ...lists }
  const fault = (key: string, template: CommandProfile["command"], values: TemplateValues) => {
    try {
      callOf("", fillTemplate(wordsOf(template), values))
      return undefined
    } catch (error) {
      return { key, message: messageOf(error) }
    }
  }
  return (
    fault("command", command, { ...values, program: ["assay"] }) ??
    (cancel === undefined ? undefined : fault("cancel", cancel, { id: "" }))
  )
}

function callsOf(template: readonly string[], work: ShardWork, isForEach: boolean): readonly Call[] {
  if (work.options.length > 0 && !placeholdersOf(template).has("options")) {
    const message = `The command of the profile has no {options}, so ${work.options.map(quoteForShell).join(" ")} would not reach the shards: add {options} after \`eval shard {run}\`.`
    throw new AssayError("bad_document", message)
  }
  const values: TemplateValues = {
    run: work.run,
    count: String(work.count),
    at_once: String(work.atOnce),
    name: work.name,
    program: work.program,
    options: work.options,
    indexes: work.indexes.map(String),
  }
  if (!isForEach) return [callOf(ALL, fillTemplate(template, values))]
  return work.indexes.map((index) =>
    callOf(nameOfShard(index), fillTemplate(template, { ...values, index: String(index) })),
  )
}

function callOf(name: string, [program, ...args]: readonly string[]): Call {
  if (program === undefined) throw new AssayError("bad_document", "The command of the profile is empty.")
  return { name, command: [program, ...args] }
}

function wordsOf(template: CommandProfile["command"]): readonly string[] {
  return typeof template === "string" ? splitWords(template) : template
}

const MERGE_LATER = "# When all shards have ended, compute the results with `assay eval merge`."

function renderCalls(
  calls: readonly Call[],
  { atOnce, indexes }: ShardWork,
  { isForEach, waits }: { readonly isForEach: boolean; readonly waits: boolean },
): string {
  const each = waits ? `${calls.length} calls, at most ${atOnce} at a time:` : `${calls.length} calls:`
  const heading = `# ${isForEach ? each : `one call for ${indexes.length} shards:`}`
  return [heading, ...calls.map(({ command }) => command.map(quoteForShell).join(" ")), MERGE_LATER, ""].join("\n")
}

/**
 * Calls a command for each task, and returns the last line that each of them printed on stdout. If one fails, or the caller gives up, what the others have
 * submitted is cancelled: nobody would follow it.
 * @throws `executor_failed`; the reason of the signal
 */
async function submitAll(
  tasks: readonly Call[],
  profile: CommandProfile,
  ports: ProcessPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ids = new Map<string, string>()
  const needsId = profile.cancel !== undefined && placeholdersOf(wordsOf(profile.cancel)).has("id")
  try {
    await forEachParallel(tasks, SUBMITTED_AT_ONCE, async ({ name, command }) => {
      signal.throwIfAborted()
      const said = await call(command, ports)
      if (said === "" && needsId) throw withoutId(command)
      // A command that prints nothing has no id. An empty list of ids would mean that nothing was submitted.
      ids.set(name, said === "" ? name : said)
    })
    signal.throwIfAborted()
  } catch (error) {
    await cancelAll(profile, [...ids.values()], ports).catch((cause: unknown) => {
      const why = signal.aborted ? "" : `${messageOf(error)} `
      throw new AssayError("executor_failed", `${why}Some shards were submitted before. ${messageOf(cause)}`, { cause })
    })
    throw error
  }
  return tasks.map(({ name }) => ids.get(name) ?? "")
}

/** Ends what calls have submitted. @throws `executor_failed` if one of them can't be ended, after it has tried all */
async function cancelAll({ cancel }: CommandProfile, ids: readonly string[], ports: ProcessPorts): Promise<void> {
  if (ids.length === 0) return
  if (cancel === undefined) {
    const shown = ids.slice(0, 5).map((id) => printable(id).slice(0, 100))
    const message = `The profile has no \`cancel\`, the command that ends what it has submitted (${shown.join(", ")}): end it with the tools of the engine.`
    throw new AssayError("executor_failed", message)
  }
  const template = wordsOf(cancel)
  for (const id of ids) if (id.startsWith("-")) throw optionAsId(id)
  const each = new Set(ids)
  const failures: unknown[] = []
  await forEachParallel(each, SUBMITTED_AT_ONCE, async (id) => {
    const { command } = callOf("", fillTemplate(template, { id }))
    // Engines refuse to end what has ended. The others are ended all the same.
    await call(command, ports).catch((error: unknown) => failures.push(error))
  })
  if (failures.length === 0) return
  const message = `${failures.length} of ${each.size} calls of \`cancel\` failed. ${messageOf(failures[0])}`
  throw new AssayError("executor_failed", message, { cause: failures[0] })
}

function withoutId([program]: Call["command"]): AssayError {
  const message = `'${printable(program)}' has printed nothing on stdout, and \`cancel\` of the profile needs the id of what it has submitted as its last line.`
  return new AssayError("executor_failed", message)
}

/** Ids are in the folder of the run, which others may be able to change. */
function optionAsId(id: string): AssayError {
  const message = `'${printable(id).slice(0, 100)}' is not an id, because \`cancel\` of the profile would read it as an option: end the shards with the tools of the engine.`
  return new AssayError("executor_failed", message)
}

/** Runs a command that returns soon. Returns the last line of its stdout: stderr is for messages. @throws `executor_failed` with its last lines */
async function call(command: Call["command"], { cwd, env }: ProcessPorts): Promise<string> {
  let last: string[] = []
  let printed = ""
  const onLine = (line: string, stream: "stdout" | "stderr"): void => {
    if (stream === "stdout" && line.trim() !== "") printed = line.trim()
    last = [...last.slice(-4), line.trim().slice(0, SHOWN)].filter((one) => one !== "")
  }
  // Nothing ends it but its time limit: if it were killed, nobody would know what it has submitted.
  const limits = { timeLimitMs: SUBMIT_MS, signal: new AbortController().signal }
  const end = await runCommand({ command, folder: cwd, variables: env, ...limits, onLine })
  if (end.kind === "exited" && end.code === 0) return printed.slice(0, 200)
  const why = end.kind === "exited" ? `exit code ${end.code}` : end.kind === "not-started" ? end.reason : end.kind
  const said = last.length === 0 ? "" : `: ${printable(last.join(" / ")).slice(-SHOWN)}`
  throw new AssayError("executor_failed", `'${printable(command[0])}' failed (${why})${said}.`)
}
