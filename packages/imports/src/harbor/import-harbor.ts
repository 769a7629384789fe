import { readdir } from "node:fs/promises"
import { basename, dirname, extname, join, resolve } from "node:path"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { localFailure } from "@assay/storage"
import { formatEvaluation } from "../output/format-evaluation.ts"
import { createImportNotes, type ImportNote, type ImportNotes } from "../output/import-notes.ts"
import type { ImportedFile } from "../output/imported-file.ts"
import type { ModelAddress } from "../promptfoo/create-rows.ts"
import { quote } from "./read-dockerfile.ts"
import { type HarborTask, readHarborTask } from "./read-harbor-task.ts"
import { RUNNER } from "./runner-text.ts"

export interface ImportHarborOptions {
  /** A task folder, or a folder of them, as the user wrote its path. */
  readonly folder: string
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** The evaluation file, relative to the working folder. */
  readonly out: string
  readonly model: ModelAddress
  /** The command of the agent; `oracle` is the solution of each task. */
  readonly agent: string
  /** Absolute path of the files of the agent, which are `/agent` in the sandbox. */
  readonly agentFiles: string | undefined
}

/** The result of an import of tasks. */
export interface ImportedHarbor {
  readonly files: readonly ImportedFile[]
  readonly notes: readonly ImportNote[]
}

const MAX_TASKS = 10_000
/** Seconds for what is around agent and verifier. */
const AROUND = 600

/**
 * Reads task folders of Harbor, and returns an evaluation file whose harness runs them in a sandbox. Tasks that need an image or programs of their own are
 * left out, with the reason.
 * @throws `bad_document` if no task can be run; `not_found`
 */
export async function importHarbor(options: ImportHarborOptions): Promise<ImportedHarbor> {
  const { folder, cwd, out, agent } = options
  if (/\{[{%#]/.test(agent)) {
    throw new AssayError(
      "bad_usage",
      `The command of the agent '${printable(agent)}' has the marks of a template; put it into a file of --agent-files.`,
    )
  }
  const notes = createImportNotes()
  const tasks = await readTasks(resolve(cwd, folder), printable(folder), { notes, isOracle: agent === "oracle" })
  if (tasks.length === 0) throw noTasks(printable(folder), notes.list())
  const target = resolve(cwd, out)
  const harness = join(dirname(target), `${basename(out, extname(out))}.harbor`)
  const comments = [
    `Made of ${printable(folder)} by \`assay import harbor\`.`,
    "Each task runs in a sandbox of bubblewrap with the programs of this machine. Its reward is a score, and `all` is their mean.",
  ]
  const text = formatEvaluation(contentOf(tasks, harness, options), comments)
  const files = tasks.flatMap((task) => filesOf(task, join(harness, "tasks", task.name)))
  return {
    files: [{ path: join(harness, "run.sh"), text: RUNNER }, ...files, { path: target, text }],
    notes: notes.list(),
  }
}

interface Reading {
  readonly notes: ImportNotes
  readonly isOracle: boolean
}

async function readTasks(path: string, name: string, { notes, isOracle }: Reading): Promise<readonly HarborTask[]> {
  const tasks = new Map<string, HarborTask>()
  for (const folder of await taskFolders(path)) {
    const own = basename(folder)
      .replaceAll(/[^\w.-]+/g, "-")
      .slice(0, 100)
    const location = `${name.replace(/\/+$/, "")}${folder === path ? "" : `/${printable(basename(folder))}`}`
    const read = await readHarborTask(folder, own)
    const leftOut = "leftOut" in read ? read.leftOut : tasks.has(own) ? "another task has its name" : undefined
    if (leftOut !== undefined || "leftOut" in read) {
      notes.add({ location, part: "task", outcome: "left out", detail: leftOut ?? "" })
      continue
    }
    const { task } = read
    tasks.set(own, task)
    notes.add({ location, part: "task", outcome: "mapped", detail: "a score" })
    const image = `programs of this machine instead of those of ${printable(task.plan.image)}`
    notes.add({ location, part: "image", outcome: "changed", detail: image })
    if (task.hasNetwork || isOracle) continue
    notes.add({
      location,
      part: "network",
      outcome: "changed",
      detail: "the agent reaches it, because it asks the model",
    })
  }
  return [...tasks.values()]
}

async function taskFolders(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    if (entries.some(({ name }) => name === "task.toml")) return [path]
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    return folders
      .map(({ name }) => join(path, name))
      .toSorted()
      .slice(0, MAX_TASKS)
  } catch (error) {
    throw localFailure(error, "read", path)
  }
}

function noTasks(name: string, notes: readonly ImportNote[]): AssayError {
  const [first] = notes
  const why = first === undefined ? "it has no folders with a task.toml" : `${first.location}: ${first.detail}`
  return new AssayError(
    "bad_document",
    `No task of ${name} can be run here: ${why}. A machine with containers runs such tasks with Harbor.`,
  )
}

function filesOf({ folder, instruction, plan, ...task }: HarborTask, own: string): readonly ImportedFile[] {
  const settings = {
    source: folder,
    workdir: plan.workdir,
    agent_time: String(task.agentTime),
    verifier_time: String(task.verifierTime),
  }
  const variables = Object.entries(plan.variables).map(([name, value]) => `export ${name}=${quote(value)}\n`)
  return [
    {
      path: join(own, "task.env"),
      text: Object.entries(settings)
        .map(([name, value]) => `${name}=${quote(value)}\n`)
        .join(""),
    },
    { path: join(own, "variables.sh"), text: variables.join("") },
    { path: join(own, "setup.sh"), text: `${COPY}${plan.commands.map((command) => `${command}\n`).join("")}` },
    { path: join(own, "instruction.md"), text: instruction },
  ]
}

/** Copies as a Dockerfile does: of a folder, its contents. */
const COPY = `copy() {
  for target; do :; done
  while [ $# -gt 1 ]; do
    if [ -d "$1" ]; then mkdir -p "$target" && cp -R "$1/." "$target"; else cp "$1" "$target"; fi
    shift
  done
}
`

function contentOf(
  tasks: readonly HarborTask[],
  harness: string,
  { model, agent, agentFiles = "" }: ImportHarborOptions,
): object {
  const seconds = tasks.reduce((sum, { agentTime, verifierTime }) => sum + agentTime + verifierTime + AROUND, 0)
  return {
    description: `${tasks.length} tasks of Harbor`,
    target: { type: "model", model: { api_endpoint: { url: model.url, model_id: model.name } } },
    config: {
      type: "benchmark",
      harness: {
        command: ["sh", join(harness, "run.sh"), join(harness, "tasks"), agent, agentFiles, "{{ results }}"],
        network: "endpoint",
        time_limit: seconds,
      },
    },
  }
}
