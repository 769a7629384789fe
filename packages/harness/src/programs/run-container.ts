import { join } from "node:path"
import { AssayError, type HarnessLimits } from "@assay/schemas"
import { removeTree } from "../harness-attempts.ts"
import type { HarnessPorts } from "../harness-ports.ts"
import { joinLimits, watchLimits } from "../limits/harness-limits.ts"
import { type CommandEnd, runCommand } from "../run-command.ts"
import { relayScript } from "../sandbox/endpoint-relay-script.ts"
import { SANDBOX_ENDPOINT_PORT, SANDBOX_WORK } from "../sandbox/harness-sandbox.ts"
import { NOBODY, prepareSandbox } from "../sandbox/sandbox-layout.ts"
import { endOf, type Program, type ProgramEnd, type ProgramOptions, readErrors, writeFiles } from "./run-program.ts"

/** The program of this machine that runs containers. */
export interface ContainerTool {
  readonly kind: "docker" | "podman"
  /** Absolute path. */
  readonly path: string
  /** The variables that it needs, such as `HOME` and `DOCKER_HOST`. The container gets none of them. */
  readonly variables: Readonly<Record<string, string>>
  /** The user and group of this process. */
  readonly uid: number
  readonly gid: number
  /** Absolute path of the Node program, which connects the container with its endpoint. */
  readonly node: string
}

interface ContainerProgram extends Program {
  readonly image: string
}

export interface ContainerPorts extends Pick<HarnessPorts, "workFolder" | "newId" | "harnessLimits"> {
  readonly tool: ContainerTool
  /** Returns milliseconds since any moment. */
  readonly elapsed: () => number
}

const LIMITS = { memory: 4 * 1024 ** 3, processes: 512, disk: 4 * 1024 ** 3 } as const
/** The folder of our own files in the container. */
const OWN = "/run/assay"
/** Exit codes of `run` that say that the container was not started. */
const NOT_STARTED = 125
/** Characters of an error that are shown. */
const MAX_SHOWN = 300
/** Until a container is ended, whatever it does. */
const KILL_MS = 10_000

/**
 * Runs a program in a container until it ends: without the network, without rights, and with a folder of its own as the only thing of this machine. A
 * container that is not wanted any more is killed by its name, because the end of the client does not end it.
 * @throws `harness_failed` if the container could not be started; the reason of the signal
 */
export async function runContainer(
  program: ContainerProgram,
  ports: ContainerPorts,
  options: ProgramOptions,
): Promise<ProgramEnd> {
  const { signal, endpointSocket } = options
  signal.throwIfAborted()
  const { tool, workFolder, newId, elapsed } = ports
  const name = newId("assay")
  const folder = join(workFolder, name)
  const limits = { ...LIMITS, ...joinLimits(options.limits ?? LIMITS, ports.harnessLimits) }
  const errors = readErrors("")
  // Further lines of the client are advice.
  let first = ""
  const owner = tool.uid === 0 ? { uid: NOBODY, gid: NOBODY } : undefined
  try {
    const run = await prepareSandbox({ owner }, { command: [tool.path], folder, endpointSocket })
    await writeFiles(program.files, run, { owner })
    const user = owner ?? { uid: tool.uid, gid: tool.gid }
    const end = await runCommand({
      command: containerCommand(program, { tool, name, work: run.work, user, limits, endpointSocket }),
      folder,
      variables: tool.variables,
      timeLimitMs: options.timeLimitMs,
      graceMs: 0,
      signal,
      onInput: options.onInput,
      onOutput: (bytes) => errors.endFor(options.onOutput(bytes)),
      onLine(line) {
        if (first === "" && line.trim() !== "") first = line.trim().slice(0, MAX_SHOWN)
        errors.add(line)
      },
      watch(leader, onOver) {
        errors.onEnd(onOver)
        return watchLimits(leader, { limits: { disk: limits.disk }, folders: [run.work], now: elapsed, onOver })
      },
    })
    if (end.kind !== "exited") await killContainer(tool, name, folder)
    if (end.kind === "aborted") signal.throwIfAborted()
    if (isStarted(end)) {
      const ended = endOf(end, errors.last(), options.timeLimitMs)
      if (ended.ok) await options.onEnded?.(run.work)
      return ended
    }
    const how = end.kind === "not-started" ? end.reason : first || end.kind
    const what = `A container of '${program.image.slice(0, 200)}' could not be started by ${tool.kind}`
    throw new AssayError("harness_failed", `${what}: ${how.replace(/\.$/, "")}.`)
  } finally {
    await removeTree(folder)
  }
}

function isStarted(end: CommandEnd): boolean {
  return end.kind !== "not-started" && !(end.kind === "exited" && end.code === NOT_STARTED)
}

interface ContainerRun {
  readonly tool: ContainerTool
  readonly name: string
  readonly work: string
  readonly user: { readonly uid: number; readonly gid: number }
  readonly limits: Required<Pick<HarnessLimits, "memory" | "processes">>
  readonly endpointSocket: string | undefined
}

/** Returns the command that starts a container. Its program is what the file says, whatever the image would start. */
function containerCommand(
  { image, command, environment }: ContainerProgram,
  { tool, name, work, user, limits, endpointSocket }: ContainerRun,
): readonly [string, ...string[]] {
  const script = relayScript()
  const relay = `${OWN}/relay.m${script.endsWith(".ts") ? "ts" : "js"}`
  const mounts =
    endpointSocket === undefined
      ? []
      : [`${tool.node}:${OWN}/node:ro`, `${script}:${relay}:ro`, `${endpointSocket}:${OWN}/endpoint.sock`]
  const reach =
    endpointSocket === undefined ? [] : [`${OWN}/node`, relay, `${OWN}/endpoint.sock`, String(SANDBOX_ENDPOINT_PORT)]
  const [entry = "", ...args] = [...reach, ...command]
  return [
    tool.path,
    "run",
    "--rm",
    "--interactive",
    "--name",
    name,
    "--network",
    "none",
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
    "--memory",
    String(limits.memory),
    "--memory-swap",
    String(limits.memory),
    "--pids-limit",
    String(limits.processes),
    "--user",
    `${user.uid}:${user.gid}`,
    // Otherwise the user of this machine is another one inside.
    ...(tool.kind === "podman" && tool.uid !== 0 ? ["--userns", "keep-id"] : []),
    "--workdir",
    SANDBOX_WORK,
    "--volume",
    `${work}:${SANDBOX_WORK}`,
    ...mounts.flatMap((mount) => ["--volume", mount]),
    ...Object.entries({ HOME: SANDBOX_WORK, ...environment }).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    "--entrypoint",
    entry,
    image,
    ...args,
  ]
}

/** Kills a container that may run. Its client says nothing that helps if there is none. */
async function killContainer({ path, variables }: ContainerTool, name: string, folder: string): Promise<void> {
  const signal = new AbortController().signal
  await runCommand({ command: [path, "kill", name], folder, variables, timeLimitMs: KILL_MS, signal, onLine: () => {} })
}
