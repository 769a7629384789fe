import { arch, platform } from "node:os"
import { resolve } from "node:path"
import { performance } from "node:perf_hooks"
import process from "node:process"
import { readPrices } from "@assay/evaluation"
import type { JobHost } from "@assay/jobs"
import {
  createEvaluationRows,
  createEvaluations,
  createEvaluationService,
  type Evaluations,
  type EvaluationService,
} from "@assay/jobs/service"
import { tokensFile } from "../settings/settings-paths.ts"
import { createIdMaker } from "../new-id.ts"
import type { ServerContext } from "../server-context.ts"
import { harnessLimitsOf } from "../settings/limits-by-memory.ts"
import { sleep } from "../sleep.ts"
import { readVersion } from "../version.ts"
import { openExecutors } from "./open-executors.ts"
import { isSandboxElsewhere, openSandbox } from "./open-sandbox.ts"

/** The parts of the server that evaluations use. */
export interface EvaluationParts extends Pick<
  JobHost,
  "registry" | "schemas" | "guardrails" | "checkEndpoint" | "openInference" | "telemetry"
> {
  readonly dataFolder: string
}

export interface OpenedEvaluations {
  readonly evaluations: Evaluations
  /** The jobs. They neither run nor are looked for until they are started. */
  readonly jobs: EvaluationService
}

/** Opens what callers can do with evaluations, and the jobs behind it. The index of rows is closed with `resources`. */
export async function openEvaluations(
  context: ServerContext,
  { dataFolder, ...parts }: EvaluationParts,
  resources: AsyncDisposableStack,
): Promise<OpenedEvaluations> {
  const { settings, cwd, now, randomBytes, logger } = context
  const folder = resolve(dataFolder, "evaluation")
  const executors = await openExecutors(context)
  const hidden = [...hiddenPaths(context, dataFolder), ...(executors?.folders ?? [])]
  const host = {
    ...parts,
    now,
    elapsed: () => performance.now(),
    newId: createIdMaker(randomBytes),
    random: Math.random,
    sleep,
    prices: await readPrices(settings.ASSAY_PRICES_FILE, cwd),
    harnessEnvironment: settings.ASSAY_HARNESS_ENVIRONMENT,
    harnessLimits: harnessLimitsOf(settings),
    executors,
    harnessSandbox: await openSandbox(context, hidden),
    isSandboxElsewhere: isSandboxElsewhere(context),
  }
  const jobs = createEvaluationService({
    ...host,
    logger,
    folder,
    isWorker: settings.ASSAY_ROLES.includes("worker"),
    maxJobs: settings.ASSAY_WORKER_JOBS,
    maxShardsPerWorkspace: settings.ASSAY_MAX_SHARDS_PER_WORKSPACE,
    versions: { assay: readVersion(), node: process.version, platform: `${platform()} ${arch()}` },
  })
  const rows = resources.adopt(createEvaluationRows({ ...host, folder }), (created) => created.close())
  return { jobs, evaluations: createEvaluations({ ...host, jobs, rows, workFolder: resolve(folder, "live") }) }
}

/** Returns the files and folders of the server that no harness may see. */
function hiddenPaths({ settings, cwd }: ServerContext, dataFolder: string): readonly string[] {
  const { ASSAY_ENCRYPTION_KEYS_FILE: keysFile } = settings
  return [dataFolder, tokensFile(settings, cwd), ...(keysFile === undefined ? [] : [resolve(cwd, keysFile)])]
}
