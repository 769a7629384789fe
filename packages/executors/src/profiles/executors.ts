import type { TObject } from "@sinclair/typebox"
import { AssayError, misspeltName, printable } from "@assay/schemas"
import type { CommandProfile as CommandValues } from "../command/command-profile.ts"
import type { Executor } from "../executor.ts"
import type { KubernetesProfile as KubernetesValues } from "../kubernetes/kubernetes-profile.ts"
import type { ProcessPorts } from "../processes/process-ports.ts"

/** An executor, and the keys that its profiles have. */
export interface ExecutorKind {
  readonly schema: TObject
  /** The words that start `assay` where its shards run, if they are not those of this process. */
  readonly program?: readonly string[]
  /** Returns what is wrong with values that `schema` accepts. Undefined: nothing. */
  readonly check?: (values: object) => { readonly key: string; readonly message: string } | undefined
  /** @param values values that `schema` accepts */
  readonly create: (values: object, ports: ProcessPorts) => Executor
}

/** All executors by name. Each is loaded when it is used. This is the place where another one is plugged in. */
const EXECUTORS: Readonly<Record<string, () => Promise<ExecutorKind>>> = {
  async local() {
    const [{ LocalProfile }, { createLocalExecutor }] = await Promise.all([
      import("../local/local-profile.ts"),
      import("../local/local-executor.ts"),
    ])
    return { schema: LocalProfile, create: (_values, ports) => createLocalExecutor(ports) }
  },
  async command() {
    const [{ CommandProfile }, { checkTemplates, createCommandExecutor }] = await Promise.all([
      import("../command/command-profile.ts"),
      import("../command/command-executor.ts"),
    ])
    return {
      schema: CommandProfile,
      check: (values) => checkTemplates(values as CommandValues),
      create: (values, ports) => createCommandExecutor(values as CommandValues, ports),
    }
  },
  async slurm() {
    const [{ SlurmProfile, findProfileFault }, { createSlurmExecutor }] = await Promise.all([
      import("../slurm/slurm-profile.ts"),
      import("../slurm/slurm-executor.ts"),
    ])
    return {
      schema: SlurmProfile,
      check: findProfileFault,
      create: (values, ports) => createSlurmExecutor(values, ports),
    }
  },
  async kubernetes() {
    const [{ KubernetesProfile }, { createKubernetesExecutor }] = await Promise.all([
      import("../kubernetes/kubernetes-profile.ts"),
      import("../kubernetes/kubernetes-executor.ts"),
    ])
    return {
      schema: KubernetesProfile,
      // The entry point of the image: the words of this machine mean nothing there.
      program: [],
      create: (values, ports) => createKubernetesExecutor(values as KubernetesValues, ports),
    }
  },
}

/** The names of all executors. */
export const EXECUTOR_NAMES: readonly string[] = Object.keys(EXECUTORS)

/** Loads an executor. @throws `bad_usage` with the names of those that exist */
export async function loadExecutor(name: string): Promise<ExecutorKind> {
  const load = Object.hasOwn(EXECUTORS, name) ? EXECUTORS[name] : undefined
  if (load !== undefined) return load()
  const meant = misspeltName(name, EXECUTOR_NAMES)
  const hint = meant === undefined ? "" : ` Did you mean '${meant}'?`
  const message = `There is no executor '${printable(name)}'. Those that exist: ${EXECUTOR_NAMES.join(", ")}.${hint}`
  throw new AssayError("bad_usage", message)
}
