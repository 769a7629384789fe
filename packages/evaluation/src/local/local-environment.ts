import { join } from "node:path"
import { isLocalPlace, type JobEnvironment } from "@assay/evaluation"
import { builtInConfigurations } from "@assay/guardrails"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { localSchemas } from "../../../local-schemas.ts"
import { openClient } from "../../../open-client.ts"
import { printable } from "../../../output/printable.ts"
import { inferenceContext } from "../../guard/inference-context.ts"
import { KEY_VARIABLE } from "../../guard/resolve-key.ts"
import { readGuardrailFile } from "../../guard/read-guardrail-file.ts"
import { endpointKey } from "./endpoint-key.ts"
import { openLocalDataset } from "./open-local-dataset.ts"
import { openServedDataset } from "./open-served-dataset.ts"

export interface LocalEnvironmentOptions {
  /** Of names that carry none. */
  readonly namespace: string
  /** What local paths are relative to. */
  readonly folder: string
  readonly dataFolder: string
  readonly workFolder: string
  /** SHA-256 of local files, for as long as the command runs. */
  readonly digests: Map<string, string>
}

/** What an evaluation in this process takes from the world: files and environment of this machine, and filesets of a server where it names some. */
export function createLocalEnvironment(context: Context, options: LocalEnvironmentOptions): JobEnvironment {
  const { env, home, now, random, randomBytes, sleep, signal } = context
  const { namespace, folder, dataFolder, workFolder } = options
  return {
    openDataset: (filesUrl, opening) =>
      isLocalPlace(filesUrl)
        ? openLocalDataset(filesUrl, { folder, home, digests: options.digests }, opening)
        : openServedDataset(context, filesUrl, namespace, opening),
    resolveKey: async (endpoint) => endpointKey(context, endpoint),
    resolveSecret: async (reference) => {
      const key = env[KEY_VARIABLE]
      if (key !== undefined && key !== "") return key
      const message = `The secret '${printable(reference)}' is kept by a server: here its value comes from ${KEY_VARIABLE}, which is not set.`
      throw new AssayError("bad_usage", message)
    },
    getGuardrail: async (name) => {
      const builtIn = builtInConfigurations().find((one) => one.name === name)
      if (builtIn !== undefined) return builtIn.data
      if (/\.(json|ya?ml)$/.test(name)) return readGuardrailFile({ ...context, cwd: folder }, name)
      const [workspace, own] = name.includes("/") ? name.split("/", 2) : [namespace, name]
      return (await openClient(context).guardrails.get(workspace ?? "", own ?? "", { signal })).data
    },
    schemas: localSchemas(context),
    inference: inferenceContext(context),
    now,
    random,
    newId: (prefix) => `${prefix}-${Buffer.from(randomBytes(16)).toString("hex")}`,
    sleep,
    workFolder,
    responseCacheFolder: join(dataFolder, "answers"),
    harnessEnvironment: definedOf(env),
  }
}

function definedOf(env: Context["env"]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
