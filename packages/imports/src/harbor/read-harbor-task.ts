import { existsSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { join, sep } from "node:path"
import { fieldsOf } from "@assay/json"
import { messageOf } from "@assay/schemas/errors"
import { readRegularFile } from "@assay/storage"
import { parse } from "smol-toml"
import { type DockerfilePlan, readDockerfile } from "./read-dockerfile.ts"

/** A task folder of Harbor. */
export interface HarborTask {
  readonly name: string
  /** Absolute path. */
  readonly folder: string
  readonly instruction: string
  /** Seconds. */
  readonly agentTime: number
  readonly verifierTime: number
  readonly hasNetwork: boolean
  readonly plan: DockerfilePlan
  readonly difficulty: string | undefined
}

/** A task, or why it can't be run here. */
export type ReadHarborTask = { readonly task: HarborTask } | { readonly leftOut: string }

/** Seconds, if a task says nothing, as Harbor has them. */
const AGENT_TIME = 600
const VERIFIER_TIME = 600
const MAX_TIME = 86_400
/** Commands of a verifier that install programs. */
const INSTALLS = /\b(?:apt-get|apk|yum|dnf|uvx?|pipx?3?|npm|npx|cargo|curl|wget)\b[^\n]{0,60}/

/** Reads a task folder: `task.toml`, `instruction.md`, `environment/`, `tests/test.sh` and `solution/`. */
export async function readHarborTask(folder: string, name: string): Promise<ReadHarborTask> {
  const linked = await findLinkOut(folder)
  if (linked !== undefined) return { leftOut: `its '${linked}' is a link to a place outside of its folder` }
  const read = async (path: string) => readRegularFile(join(folder, path)).catch(() => undefined)
  const config = await readConfig(folder)
  if (typeof config === "string") return { leftOut: config }
  const [instruction, test, dockerfile] = [
    await read("instruction.md"),
    await read("tests/test.sh"),
    await read("environment/Dockerfile"),
  ]
  if (existsSync(join(folder, "steps"))) return { leftOut: "it has several steps" }
  if (instruction === undefined) return { leftOut: "it has no instruction.md" }
  if (test === undefined) return { leftOut: "it has no tests/test.sh" }
  const environment = fieldsOf(config["environment"])
  if (existsSync(join(folder, "environment/docker-compose.yaml")))
    return { leftOut: "its environment has several containers" }
  if (dockerfile === undefined) {
    const image = environment["docker_image"]
    return {
      leftOut:
        typeof image === "string"
          ? `its environment is the image ${image.slice(0, 60)}`
          : "it has no environment/Dockerfile",
    }
  }
  const plan = readDockerfile(dockerfile)
  if (plan.leftOut !== undefined) return { leftOut: plan.leftOut }
  if (environment["mcp_servers"] !== undefined)
    return { leftOut: "its agent needs servers of the Model Context Protocol" }
  const installs = INSTALLS.exec(test)?.[0]
  if (installs !== undefined) return { leftOut: `its tests run '${installs.trim()}'` }
  const [agent, verifier, metadata] = [
    fieldsOf(config["agent"]),
    fieldsOf(config["verifier"]),
    fieldsOf(config["metadata"]),
  ]
  return {
    task: {
      name,
      folder,
      instruction,
      agentTime: secondsOf(agent["timeout_sec"], AGENT_TIME),
      verifierTime: secondsOf(verifier["timeout_sec"], VERIFIER_TIME),
      hasNetwork: environment["allow_internet"] !== false,
      plan,
      difficulty: typeof metadata["difficulty"] === "string" ? metadata["difficulty"] : undefined,
    },
  }
}

/** Folders that are read, or mounted in a sandbox. Links in these folders lead to places in the sandbox. */
const PARTS = [
  "task.toml",
  "instruction.md",
  "environment",
  "environment/Dockerfile",
  "tests",
  "tests/test.sh",
  "solution",
]

/** Returns the first part that is outside of the folder: the task of a stranger must not show files of this machine to an agent. */
async function findLinkOut(folder: string): Promise<string | undefined> {
  const own = await realpath(folder)
  for (const part of PARTS) {
    const real = await realpath(join(folder, part)).catch(() => undefined)
    if (real !== undefined && !real.startsWith(own + sep)) return part
  }
  return undefined
}

async function readConfig(folder: string): Promise<Readonly<Record<string, unknown>> | string> {
  try {
    return fieldsOf(parse(await readRegularFile(join(folder, "task.toml"))))
  } catch (error) {
    return `its task.toml can't be read: ${messageOf(error).split("\n")[0] ?? ""}`.slice(0, 160)
  }
}

function secondsOf(value: unknown, fallback: number): number {
  return typeof value === "number" && value > 0 ? Math.min(Math.ceil(value), MAX_TIME) : fallback
}
