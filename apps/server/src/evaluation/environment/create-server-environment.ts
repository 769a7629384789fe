import { performance } from "node:perf_hooks"
import { checkSecretRights, type Registry } from "@assay/registry"
import { AssayError, parseSecretRef, type HarnessLimits } from "@assay/schemas"
import type { HarnessSandbox, LaunchPorts } from "@assay/evaluation"
import type { Schemas } from "../../contents/create-schemas.ts"
import type { GuardrailConfigurations } from "../../guardrails/guardrail-configurations.ts"
import type { HostPolicy } from "@assay/http/host-policy"
import { sleep } from "../../sleep.ts"
import { filesetSource } from "./fileset-source.ts"
import { findGuardrail } from "./find-guardrail.ts"
import { probeResults } from "./probe-results.ts"
import type { EnvironmentRights } from "./environment-rights.ts"
import { loadEvaluation } from "../load-evaluation.ts"

/** What the jobs of a server have in common. */
export interface ServerEnvironmentContext {
  readonly registry: Registry
  readonly schemas: Schemas
  readonly configurations: GuardrailConfigurations
  /** Which inference endpoints may be asked. */
  readonly policy: HostPolicy
  /** What large answers of all endpoints share. */
  readonly answerRoom: NonNullable<LaunchPorts["inference"]["answerRoom"]>
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  readonly newId: (prefix: string) => string
  /** Variables that harnesses are started with; absent: the operator allows none. */
  readonly harnessEnvironment?: Readonly<Record<string, string>> | undefined
  readonly harnessLimits?: HarnessLimits | undefined
  /** Keeps harnesses apart from this machine; absent: the operator trusts them. */
  readonly harnessSandbox?: HarnessSandbox | undefined
}

/** What one of them has to itself. */
export interface ServerEnvironmentOptions extends Pick<LaunchPorts, "workFolder" | "responseCacheFolder"> {
  /** The workspace of the job: names alone are names in it. */
  readonly namespace: string
  readonly rights: EnvironmentRights
  /** Where results go that have a place of their own. */
  readonly outputFilesUrl?: string | null
}

/** The environment of a job on this server, for its launch with the rights of the caller and for its run with those it was given. */
export async function createServerEnvironment(
  context: ServerEnvironmentContext,
  options: ServerEnvironmentOptions,
): Promise<LaunchPorts> {
  const { registry, schemas, configurations, policy, answerRoom, now, newId } = context
  const { harnessEnvironment, harnessLimits, harnessSandbox } = context
  const { namespace, rights, workFolder, responseCacheFolder, outputFilesUrl } = options
  const { openFilesetDataset, parseFilesUrl } = await loadEvaluation()
  const { createGuardedAgent } = await import("@assay/http/guarded-agent")
  const files = registry.as((workspace) => workspace === namespace || rights.edits(workspace))
  const source = filesetSource(files, { namespace, rights })

  const resolveSecret = (reference: string) => {
    const address = parseSecretRef(reference, namespace)
    checkSecretRights([address], namespace, rights.edits)
    return registry.secrets.resolve(address.workspace, address.name)
  }

  return {
    openDataset: async (filesUrl, datasetOptions) =>
      openFilesetDataset(parseFilesUrl(filesUrl, namespace), source, datasetOptions),
    async resolveKey({ api_key, api_key_secret, api_key_env }) {
      // Written inline only until the launch is through: a job on record names the secret that was made of it.
      if (api_key !== undefined && api_key !== "" && api_key !== "******") return api_key
      if (api_key_secret !== undefined) return resolveSecret(api_key_secret)
      if (api_key_env !== undefined) throw noVariables(api_key_env)
      return undefined
    },
    resolveSecret: async (reference) => resolveSecret(reference),
    getGuardrail: (name) => findGuardrail(configurations, name, { namespace, rights }),
    schemas: await schemas.of(namespace),
    inference: {
      now: () => performance.now(),
      random: Math.random,
      sleep,
      openDispatcher: (connection) => createGuardedAgent(policy.checkNamed, { ...connection, patient: true }),
      answerRoom,
    },
    checkEndpoint: (url) => policy.checkEndpoint(url),
    probeResults: (signal) => probeResults(registry, { files, namespace, rights, outputFilesUrl, newId, signal }),
    now,
    random: Math.random,
    newId,
    sleep,
    workFolder,
    ...(responseCacheFolder === undefined ? {} : { responseCacheFolder }),
    ...(harnessEnvironment === undefined ? {} : { harnessEnvironment }),
    ...(harnessLimits === undefined ? {} : { harnessLimits }),
    ...(harnessSandbox === undefined ? {} : { harnessSandbox }),
  }
}

function noVariables(name: string): AssayError {
  const message = `'api_key_env: ${name}' is for files of the command line: a server reads no variables for its users; store the key as a secret and name it as 'api_key_secret'.`
  return new AssayError("secret_not_readable", message)
}
