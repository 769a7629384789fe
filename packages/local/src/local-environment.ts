import { join, resolve } from "node:path"
import type { SchemaRunner } from "@assay/contents"
import { builtInConfigurations } from "@assay/guardrails"
import type { HarnessSandbox, openContainerPrograms } from "@assay/harness"
import { createRequestPacers, type InferenceContext, type KeyVariables } from "@assay/inference"
import { AssayError, isLocalPath, type GuardrailData, type PriceTable } from "@assay/schemas"
import type { Telemetry } from "@assay/telemetry"
import {
  filesetLabels,
  type FilesetSource,
  filesUrl,
  type JobEnvironment,
  openFilesetDataset,
  type recordings,
} from "@assay/evaluation"
import { endpointKey, secretKey } from "./endpoint-keys.ts"
import { openLocalDataset } from "./open-local-dataset.ts"
import { readLocalLabels } from "./labels/read-local-labels.ts"
import { readJobToCompare } from "./runs/results-folder.ts"

/** The parts of the machine and of its process that a run uses. */
export interface LocalPorts {
  readonly keys: KeyVariables
  /** The folder that `~` means. */
  readonly home: string
  /** Filesets of a server, for rows that a job names as `workspace/fileset`. */
  readonly filesets: FilesetSource
  /** Returns a stored guardrail configuration of a server. @throws `not_found` */
  readonly getGuardrail: (workspace: string, name: string) => Promise<GuardrailData>
  /** Reads a guardrail configuration from a file. `name` is relative to `folder`. @throws `bad_document` */
  readonly readGuardrailFile: (folder: string, name: string) => Promise<GuardrailData>
  readonly schemas: SchemaRunner
  /** Opens the sandbox in which programs of models run. Absent: there is none. @throws `bad_settings` with the reason */
  readonly openSandbox?: (() => Promise<HarnessSandbox>) | undefined
  /** Finds docker or podman. Returns undefined if this machine has neither. Absent: no containers are started. */
  readonly findContainerTool?: (() => Parameters<typeof openContainerPrograms>[0]["tool"]) | undefined
  readonly inference: InferenceContext
  /** Makes spans of the run, its rows and its requests. Absent: nothing is collected. */
  readonly telemetry?: Telemetry | undefined
  /** Prices of tokens. Absent: no cost is known. */
  readonly prices?: PriceTable | undefined
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** A number from 0 up to 1. */
  readonly random: () => number
  readonly randomBytes: (size: number) => Uint8Array
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Id of this process. */
  readonly pid: number
  /** Returns whether a process of this machine is running. */
  readonly isProcessAlive: (pid: number) => boolean
  /** Versions and platform, for the results. */
  readonly programs: Readonly<Record<string, string>>
}

export interface LocalFolders {
  /** Absolute path of the folder that local paths are relative to. */
  readonly folder: string
  /** Absolute path of the folder for all runs. */
  readonly dataFolder: string
  /** SHA-256 of local files, for as long as the process runs. */
  readonly digests: Map<string, string>
  /** Where answers are recorded. Absent: they are not, except those of conversations. */
  readonly recording?: ReturnType<typeof recordings.open> | undefined
}

/**
 * Finds the guardrail configuration that a job of this machine names: a built-in one, a file, or one of a server.
 * @param scope the folder that paths are relative to, and the workspace of names without one
 */
export async function findLocalGuardrail(
  ports: Pick<LocalPorts, "getGuardrail" | "readGuardrailFile">,
  { folder, workspace }: { readonly folder: string; readonly workspace: string },
  name: string,
): Promise<GuardrailData> {
  const builtIn = builtInConfigurations().find((one) => one.name === name)
  if (builtIn !== undefined) return builtIn.data
  if (/\.(json|ya?ml)$/.test(name)) return ports.readGuardrailFile(folder, name)
  const [owner = "", own = ""] = name.includes("/") ? name.split("/", 2) : [workspace, name]
  return ports.getGuardrail(owner, own)
}

/** Creates the environment of a job that runs in this process. Names without a workspace belong to `workspace`. */
export function createLocalEnvironment(
  ports: LocalPorts,
  { folder, dataFolder, digests, recording }: LocalFolders,
  workspace: string,
  workFolder: string,
): JobEnvironment {
  const { keys, home, now, random, randomBytes, sleep } = ports
  const newId = (prefix: string) => `${prefix}-${Buffer.from(randomBytes(16)).toString("hex")}`
  return {
    openDataset: (dataset, options) => {
      if (typeof dataset !== "string") return openFilesetDataset(dataset, ports.filesets, options)
      return isLocalPath(dataset)
        ? openLocalDataset(dataset, { folder, home, digests }, options)
        : openFilesetDataset(filesUrl.parse(dataset, workspace), ports.filesets, options)
    },
    resolveKey: async (endpoint) => endpointKey(keys, endpoint),
    resolveSecret: async (reference, url) => secretKey(keys, reference, url),
    getGuardrail: (name) => findLocalGuardrail(ports, { folder, workspace }, name),
    openBaseline: async (name) => {
      if (isLocalPath(name)) return readJobToCompare(resolve(folder, name), name)
      const message = `'${name}' is a name on a server; a job that runs on this machine is compared with a folder of results, such as ./results.`
      throw new AssayError("bad_document", message)
    },
    readLabels: async (reference, signal) =>
      isLocalPath(reference)
        ? readLocalLabels(reference, { folder, home })
        : filesetLabels.read(filesetLabels.parseReference(reference, workspace), ports.filesets, signal),
    schemas: ports.schemas,
    // All tasks share what an endpoint allows.
    inference: { ...ports.inference, pacers: createRequestPacers(ports.inference), telemetry: ports.telemetry },
    telemetry: ports.telemetry,
    prices: ports.prices,
    now,
    random,
    newId,
    sleep,
    workFolder,
    responseCacheFolder: answersFolder(dataFolder),
    recording,
    harnessEnvironment: harnessVariables(keys.env),
    async openPrograms(signal) {
      const { openProgramRunner } = await import("@assay/harness")
      const { openSandbox } = ports
      return openProgramRunner({ openSandbox, workFolder, newId, elapsed: ports.inference.now }, signal)
    },
    ...(ports.findContainerTool === undefined ? {} : { openContainers: containersOf(ports, { workFolder, newId }) }),
    async openProgramSandbox() {
      const { openProgramSandbox } = await import("@assay/harness")
      const { openSandbox, inference } = ports
      return openProgramSandbox({ openSandbox, workFolder, newId, elapsed: inference.now, inference })
    },
  }
}

/** Returns what opens containers, each below the work folder. */
function containersOf(
  { inference, findContainerTool }: LocalPorts,
  own: Pick<JobEnvironment, "workFolder" | "newId">,
): NonNullable<JobEnvironment["openContainers"]> {
  return async (image, signal) => {
    const { openContainerPrograms } = await import("@assay/harness")
    const tool = findContainerTool?.()
    return openContainerPrograms({ ...own, tool, elapsed: inference.now, inference }, image, signal)
  }
}

/** Returns the folder of answers that the runs of a data folder share. */
export function answersFolder(dataFolder: string): string {
  return join(dataFolder, "answers")
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|^ASSAY_|^DATABASE_/i

/** Returns the variables that a command of a file gets: all but those that hold secrets, which it gets by its configuration. */
function harnessVariables(env: KeyVariables["env"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !SECRET_NAME.test(entry[0]),
    ),
  )
}
