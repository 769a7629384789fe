import { setTimeout } from "node:timers/promises"
import { AssayError, parseSecretRef } from "@assay/schemas"
import { testSchemas } from "@assay/scoring/testing"
import { filesetLabels, filesUrl, openFilesetDataset } from "@assay/evaluation"
import type { LaunchPorts } from "../checks/launch-ports.ts"
import type { FolderDatastore } from "@assay/evaluation/testing"

export interface LaunchPortsOptions extends Partial<LaunchPorts> {
  /** Values of secrets by name. */
  readonly secrets?: Readonly<Record<string, string>>
}

/** Creates an environment over folders, for launches in namespace `default`. */
export function createLaunchPorts(
  { source, folder }: FolderDatastore,
  { secrets = {}, ...more }: LaunchPortsOptions = {},
): LaunchPorts {
  const resolveSecret = async (reference: string) => {
    const value = secrets[parseSecretRef(reference, "default").name]
    if (value === undefined) throw new AssayError("secret_not_readable", `Secret '${reference}' can't be used`)
    return value
  }
  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal })
  let count = 0
  return {
    openDataset: (dataset, options) =>
      openFilesetDataset(typeof dataset === "string" ? filesUrl.parse(dataset, "default") : dataset, source, options),
    readLabels: async (reference, signal) =>
      filesetLabels.read(filesetLabels.parseReference(reference, "default"), source, signal),
    resolveKey: async ({ api_key, api_key_secret }) =>
      api_key_secret === undefined ? api_key : resolveSecret(api_key_secret),
    resolveSecret,
    getGuardrail: async (name) => {
      throw new AssayError("not_found", `Guardrail configuration 'default/${name}' not found`)
    },
    schemas: testSchemas(),
    inference: { now: () => performance.now(), random: Math.random, sleep },
    now: Date.now,
    random: Math.random,
    newId: (prefix) => `${prefix}-${count++}`,
    sleep,
    workFolder: folder,
    ...more,
  }
}
