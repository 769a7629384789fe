import type { SchemaRunner } from "@assay/contents"
import type { InferenceContext } from "@assay/inference"
import type { JobGrants, Registry } from "@assay/registry"
import { AssayError, type GuardrailData, type HarnessLimits, type PriceTable } from "@assay/schemas"
import type { HarnessSandbox } from "../harness/sandbox/harness-sandbox.ts"

/** A server that runs jobs of a registry: everything that its jobs share. */
export interface JobHost {
  readonly registry: Registry
  readonly schemas: {
    /** Returns threads for the schemas of a workspace. */
    readonly of: (workspace: string) => Promise<SchemaRunner>
  }
  readonly guardrails: GuardrailSource
  /** Fails if jobs may not call this inference endpoint. @throws `host_not_allowed` */
  readonly checkEndpoint: (url: string) => void
  /** Returns what inference clients of all jobs share. Asynchronous, so that a server loads it with the first job. */
  readonly openInference: () => Promise<InferenceContext>
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Prices of tokens. Absent: no cost is known. */
  readonly prices?: PriceTable | undefined
  /** Variables for harnesses. Absent: the operator allows no harness. */
  readonly harnessEnvironment?: Readonly<Record<string, string>> | undefined
  readonly harnessLimits?: HarnessLimits | undefined
  /** Isolates harnesses from this machine. Absent: the operator trusts them. */
  readonly harnessSandbox?: HarnessSandbox | undefined
}

/** Guardrail configurations: the stored ones, and those that come with the program. */
export interface GuardrailSource {
  /** @throws `not_found` */
  get(workspace: string, name: string): Promise<{ readonly data: GuardrailData }>
  isBuiltIn(workspace: string, name: string): Promise<boolean>
}

/** The rights of a job or a caller outside of its own workspace. */
export interface JobRights {
  /** Returns whether it may read records and files of `workspace`. */
  readonly sees: (workspace: string) => boolean
  /** Returns whether it may write there, and use secrets of `workspace` by reference. */
  readonly edits: (workspace: string) => boolean
}

/** A workspace, and the rights in all others. */
export interface JobScopeRights {
  /** The workspace of the job. Names without a workspace are names in it. */
  readonly workspace: string
  readonly rights: JobRights
}

/** Returns the rights of a running job. Its launch has checked what it names; it may use secrets of the granted workspaces. */
export function rightsOfGrants(grants: JobGrants): JobRights {
  return { sees: () => true, edits: (workspace) => grants === "all" || grants.includes(workspace) }
}

/** Fails like a workspace that does not exist if the job may not see it. @throws `not_found` */
export function checkSeen(workspace: string, { workspace: ownWorkspace, rights }: JobScopeRights): void {
  if (workspace === ownWorkspace || rights.sees(workspace)) return
  throw new AssayError("not_found", `Workspace '${workspace}' not found`, { context: { workspace } })
}

/** @throws `forbidden` if results may not be written to `workspace` */
export function checkHoldsResults(workspace: string, ownWorkspace: string, edits: JobRights["edits"]): void {
  if (workspace === ownWorkspace || edits(workspace)) return
  const message = `Results can't be written to workspace '${workspace}': this needs the role editor there.`
  throw new AssayError("forbidden", message, { context: { workspace } })
}
