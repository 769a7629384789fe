import { basename, dirname, join } from "node:path"
import type { ApiEndpoint } from "@assay/schemas"
import { createFolder } from "@assay/storage"
import { RUN_VARIABLE } from "./harness-attempts.ts"
import { renderCommand, type Harness } from "./harness-config.ts"
import { harnessEnvironment } from "./harness-environment.ts"
import type { HarnessJob, HarnessPorts } from "./harness-ports.ts"
import { handVariables } from "./sandbox/harness-sandbox.ts"
import type { EndpointProxy } from "./sandbox/open-endpoint-proxy.ts"
import { prepareSandbox } from "./sandbox/sandbox-layout.ts"

/** A harness that can be started. Disposing of it closes everything that was opened for it. */
interface PreparedHarness extends AsyncDisposable {
  /** The program as the user wrote it. */
  readonly program: string
  readonly command: readonly [string, ...string[]]
  readonly variables: Readonly<Record<string, string>>
  /** The text that the command reads from its file descriptor 3. */
  readonly handed?: string
  /** Values of variables that must not be shown. */
  readonly secrets: readonly string[]
  /** Its working folder, on this machine. */
  readonly work: string
  /** Every folder that it can write to, on this machine. */
  readonly folders: readonly string[]
  /** One line for the log. */
  readonly description: string
}

interface PrepareOptions {
  readonly environment: HarnessPorts
  /** The folder of this attempt. It is empty. */
  readonly folder: string
  /** Names the attempt. */
  readonly run: string
}

/** Prepares the start of a harness: in a sandbox if there is one, else as the user of this process. */
export async function prepareHarness(
  harness: Harness,
  job: HarnessJob,
  { environment, folder, run }: PrepareOptions,
): Promise<PreparedHarness> {
  const { harnessSandbox: sandbox } = environment
  const endpoint = job.target.model?.api_endpoint
  await using resources = new AsyncDisposableStack()
  const proxy = await openProxy(harness, endpoint, environment)
  if (proxy !== undefined) resources.use(proxy)
  const { variables, secrets } = await harnessEnvironment(harness, job.target, environment, proxy)
  const own = { ...variables, [RUN_VARIABLE]: run }
  const rendered = renderCommand(harness, job, proxy?.url)
  const started = `harness: starts '${basename(rendered[0])}' with ${rendered.length - 1} arguments`
  if (sandbox === undefined) {
    const work = join(folder, "work")
    await createFolder(dirname(join(work, harness.results)), { durable: false })
    return {
      program: rendered[0],
      command: rendered,
      variables: own,
      secrets,
      work,
      folders: [work],
      description: started,
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const prepared = await prepareSandbox(sandbox, {
    command: rendered,
    folder,
    results: harness.results,
    endpointSocket: proxy?.socket,
  })
  const opened = resources.move()
  const reached = proxy === undefined ? "no network" : "no network except the endpoint of its target"
  return {
    program: rendered[0],
    command: sandbox.wrap(prepared),
    variables: {},
    handed: handVariables({ ...sandbox.variables, ...own }),
    secrets,
    work: prepared.work,
    folders: [prepared.work, prepared.temporary],
    description: `${started} in a sandbox (${sandbox.kind}) with ${reached}`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function openProxy(
  { network }: Harness,
  endpoint: ApiEndpoint | undefined,
  { harnessSandbox, inference, resolveKey }: HarnessPorts,
): Promise<EndpointProxy | undefined> {
  if (harnessSandbox === undefined || network === "none" || endpoint === undefined) return undefined
  // Imported late: it loads undici, which no other job needs and which would slow every start.
  const { openEndpointProxy } = await import("./sandbox/open-endpoint-proxy.ts")
  return openEndpointProxy({ endpoint, key: await resolveKey(endpoint), inference })
}
