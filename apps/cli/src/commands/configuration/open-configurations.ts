import { readGuardrailFile } from "@assay/guardrails"
import { isObject } from "@assay/json"
import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { guardrailFiles } from "../guard/guardrail-files.ts"
import { readJsonFile } from "../read-json.ts"

/** The command that manages configurations of one kind. */
export type ConfigurationKind = "guard config" | "eval target" | "eval config"

/** A stored configuration, in the form of a list. */
export interface ListedConfiguration {
  readonly name: string
  readonly updated_at: string
  readonly description: string
}

/** The configurations of one kind on the server. Paths of files are those of this machine. */
export interface Configurations {
  readonly create: (workspace: string, name: string, file: string) => Promise<object>
  /** Replaces the one with this name. */
  readonly replace: (workspace: string, name: string, file: string) => Promise<object>
  readonly list: (workspace: string) => Promise<readonly ListedConfiguration[]>
  readonly get: (workspace: string, name: string) => Promise<object>
  readonly remove: (workspace: string, name: string) => Promise<object>
}

/** Opens the configurations of one kind. */
export function openConfigurations(context: Context, kind: ConfigurationKind): Configurations {
  if (kind === "guard config") return openGuardrails(context)
  const { evaluation } = openClient(context)
  const { signal } = context
  const part = kind === "eval target" ? "target" : "config"
  const read = (file: string) => readPart(context, file, part)
  if (part === "target") {
    const { targets } = evaluation
    const body = async (file: string) => (await read(file)) as unknown as EvaluationTargetBody
    return {
      create: async (namespace, name, file) => targets.create({ ...(await body(file)), namespace, name }, { signal }),
      replace: async (namespace, name, file) => targets.update(namespace, name, await body(file), { signal }),
      list: async (namespace) => listed(await Array.fromAsync(targets.list({ filter: { namespace } }, { signal }))),
      get: (namespace, name) => targets.get(namespace, name, { signal }),
      remove: (namespace, name) => targets.remove(namespace, name, { signal }),
    }
  }
  const { configs } = evaluation
  const body = async (file: string) => (await read(file)) as unknown as EvaluationConfigBody
  return {
    create: async (namespace, name, file) => configs.create({ ...(await body(file)), namespace, name }, { signal }),
    replace: async (namespace, name, file) => configs.update(namespace, name, await body(file), { signal }),
    list: async (namespace) => listed(await Array.fromAsync(configs.list({ filter: { namespace } }, { signal }))),
    get: (namespace, name) => configs.get(namespace, name, { signal }),
    remove: (namespace, name) => configs.remove(namespace, name, { signal }),
  }
}

function openGuardrails(context: Context): Configurations {
  const { guardrails } = openClient(context)
  const { signal } = context
  const read = (file: string) => readGuardrailFile({ ...guardrailFiles(context), argument: "FILE" }, file)
  return {
    create: async (workspace, name, file) => guardrails.create(workspace, { name, data: await read(file) }, { signal }),
    replace: async (workspace, name, file) =>
      guardrails.update(workspace, name, { data: await read(file) }, { signal }),
    list: async (workspace) => listed(await Array.fromAsync(guardrails.list(workspace, { signal }))),
    get: (workspace, name) => guardrails.get(workspace, name, { signal }),
    remove: (workspace, name) => guardrails.remove(workspace, name, { signal }),
  }
}

/** Reads a body, or the part of an evaluation file that is one. Its name and workspace are those of the command line. */
async function readPart(context: Context, file: string, part: "target" | "config"): Promise<Record<string, unknown>> {
  const value = await readJsonFile(context, "FILE", file)
  const whole = isObject(value) ? value : {}
  const { name: _name, namespace: _namespace, ...body } = isObject(whole[part]) ? whole[part] : whole
  return body
}

interface StoredConfiguration {
  readonly name?: string
  readonly updated_at: string
  readonly description?: string
}

function listed(stored: readonly StoredConfiguration[]): readonly ListedConfiguration[] {
  return stored.map(({ name = "", updated_at, description = "" }) => ({ name, updated_at, description }))
}
