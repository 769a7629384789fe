import { checkSecretRights, type CallerRegistry } from "@assay/registry"
import { AssayError, type EvaluationConfigBody, parseSecretRef } from "@assay/schemas"
import type { Outages } from "@assay/storage"
import { filesetLabels, type FilesetSource, filesUrl, openFilesetDataset, recordings } from "@assay/evaluation"
import type { LaunchPorts } from "@assay/attempts"
import { findGuardrail } from "./find-guardrail.ts"
import { openBaseline } from "../outputs/open-baseline.ts"
import { checkSeen, type JobScopeRights } from "../rights/job-rights.ts"
import type { JobHost } from "./job-host.ts"
import { probeResults } from "../outputs/results-location.ts"

/** The parts of a host that only one job uses. */
export interface HostEnvironmentOptions
  extends JobScopeRights, Pick<LaunchPorts, "workFolder" | "responseCacheFolder"> {
  /** The id of the job, if it runs. */
  readonly job?: string | undefined
  /** The `output_files_url` of the job. Null or absent: its results get a fileset of their own. */
  readonly outputFilesUrl?: string | null | undefined
  /** For runs. Absent: the first error of the storage counts. */
  readonly outages?: Outages | undefined
  /** The configuration that may name a recording. Absent: answers are not recorded, except those of conversations. */
  readonly recordingOf?: Pick<EvaluationConfigBody, "params"> | undefined
  /** Milliseconds since 1970: when the job was launched. Absent: it is launched now. */
  readonly launchedAt?: number | undefined
}

/**
 * Creates the environment of a job on a host. A launch uses it with the rights of the caller, and a run with the rights that the
 * job was granted.
 */
export async function createHostEnvironment(host: JobHost, options: HostEnvironmentOptions): Promise<LaunchPorts> {
  const { registry, guardrails, checkEndpoint, now, random, newId, sleep } = host
  const { harnessEnvironment, harnessLimits, harnessSandbox } = host
  const { workspace: ownWorkspace, job, rights, workFolder, responseCacheFolder, outages } = options
  const own = registry.as((workspace) => workspace === ownWorkspace || rights.edits(workspace))
  const source = createFilesetSource(own, options)

  const resolveSecret = async (reference: string) => {
    const address = parseSecretRef(reference, ownWorkspace)
    checkSecretRights([address], ownWorkspace, rights.edits)
    return registry.secrets.resolve(address.workspace, address.name)
  }

  return {
    openDataset: async (dataset, datasetOptions) =>
      openFilesetDataset(
        typeof dataset === "string" ? filesUrl.parse(dataset, ownWorkspace) : dataset,
        source,
        datasetOptions,
      ),
    async resolveKey({ api_key, api_key_secret, api_key_env }) {
      // Inline keys exist during a launch only. A job on record names the secret that was made of its key.
      if (api_key !== undefined && api_key !== "" && api_key !== "******") return api_key
      if (api_key_secret !== undefined) return resolveSecret(api_key_secret)
      if (api_key_env !== undefined) throw noVariables(api_key_env)
      return undefined
    },
    resolveSecret,
    getGuardrail: (name) => findGuardrail(guardrails, name, options),
    openBaseline: (name, signal) => openBaseline(name, { registry, workspace: ownWorkspace, rights, signal }),
    readLabels: async (reference, signal) =>
      filesetLabels.read(filesetLabels.parseReference(reference, ownWorkspace), source, signal),
    schemas: await host.schemas.of(ownWorkspace),
    inference: { ...(await host.openInference()), sender: job },
    telemetry: host.telemetry,
    checkEndpoint,
    async findEarlierJobs() {
      const filter = { namespace: ownWorkspace, status: ["COMPLETED"] } as const
      const page = { page: 1, page_size: MAX_EARLIER_JOBS, sort: "-created_at" } as const
      return (await registry.jobs.list({ ...page, filter }, [ownWorkspace])).data
    },
    getBudget: () => registry.budgets.get(ownWorkspace),
    prices: host.prices,
    probeResults: (signal) => probeResults(registry, { ...options, files: own, newId, signal }),
    now,
    random,
    newId,
    sleep,
    workFolder,
    responseCacheFolder,
    recording: recordings.ofJob(options.recordingOf ?? {}, { ...options, own }),
    outages,
    harnessEnvironment,
    harnessLimits,
    harnessSandbox,
    openPrograms: (signal) => openHostPrograms(host, workFolder, signal),
    openProgramSandbox: () => openHostSandbox(host, workFolder),
  }
}

/** Opens what runs programs of models on a host. @throws `code_not_allowed` */
async function openHostPrograms(
  host: JobHost,
  workFolder: string,
  signal: AbortSignal,
): ReturnType<NonNullable<LaunchPorts["openPrograms"]>> {
  if (host.isSandboxElsewhere === true) return () => Promise.reject(onWorkersOnly())
  const { openProgramRunner } = await import("@assay/harness")
  return openProgramRunner(programSettings(host, workFolder), signal)
}

/** Opens what runs programs of evaluation files on a host. @throws `code_not_allowed` */
async function openHostSandbox(
  host: JobHost,
  workFolder: string,
): ReturnType<NonNullable<LaunchPorts["openProgramSandbox"]>> {
  const refuse = () => Promise.reject(onWorkersOnly())
  if (host.isSandboxElsewhere === true) return { run: refuse, open: refuse, takeSlot: refuse }
  const { openProgramSandbox } = await import("@assay/harness")
  return openProgramSandbox({ ...programSettings(host, workFolder), inference: await host.openInference() })
}

/** The launch is checked on a server that may be no worker. A worker checks its own sandbox before it asks a row. */
function onWorkersOnly(): AssayError {
  return new AssayError("code_not_allowed", "Programs run on workers, and this server is none.")
}

function programSettings({ harnessSandbox: sandbox, harnessLimits, newId, elapsed }: JobHost, workFolder: string) {
  const openSandbox = sandbox === undefined ? undefined : () => Promise.resolve(sandbox)
  return { openSandbox, advice: SANDBOX_ADVICE, workFolder, newId, elapsed, harnessLimits }
}

const SANDBOX_ADVICE =
  "run the job with `assay eval run` on a machine of your own, or ask the operator to set ASSAY_HARNESS_ENVIRONMENT, and ASSAY_HARNESS_ISOLATION to sandbox"

/** How many jobs are read for an estimate. */
const MAX_EARLIER_JOBS = 20

const MAX_NAMES = 100

/** Returns the filesets that a job may see. All others do not exist for it. */
function createFilesetSource({ filesets, files }: CallerRegistry, scope: JobScopeRights): FilesetSource {
  return {
    async getFileset(workspace, name) {
      checkSeen(workspace, scope)
      return filesets.get(workspace, name)
    },
    async openStorage(workspace, name) {
      checkSeen(workspace, scope)
      return files.open(workspace, name)
    },
    async listNames(workspace) {
      checkSeen(workspace, scope)
      const { data } = await filesets.list(workspace, { page: 1, page_size: MAX_NAMES, sort: "name" }, "all")
      return data.map(({ name }) => name)
    },
  }
}

function noVariables(name: string): AssayError {
  const message = `'api_key_env: ${name}' works only in files of the command line: a server reads no variables for its users; store the key as a secret and name it as 'api_key_secret'.`
  return new AssayError("secret_not_readable", message)
}
