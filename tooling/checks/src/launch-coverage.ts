import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { Session, type Profiler } from "node:inspector/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stdout } from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { createLogger, loadSettings, serve } from "@assay/server"
import { REPOSITORY_ROOT } from "./reading/repository.ts"

// Lists our source files whose functions run for the first launch of a job on a new server, with skip_validation_checks:
//   node tooling/checks/src/launch-coverage.ts
// The first list ends with the response to the launch; the second one adds what runs until the job has ended. The code
// of a module itself does not count, so loading a module adds nothing. Build the repository first.

const JOB = {
  target: { type: "rows", rows: [{ answer: "yes", expected: "yes" }] },
  config: {
    type: "custom",
    tasks: {
      qa: {
        type: "data",
        metrics: {
          accuracy: { type: "string-check", params: { check: ["{{ item.answer }}", "equals", "{{ item.expected }}"] } },
        },
      },
    },
  },
}

const ROOT_URL = pathToFileURL(REPOSITORY_ROOT).href

/** Returns the source file of a compiled script; undefined if the script is not ours. */
function sourceOf(url: string): string | undefined {
  if (!url.startsWith(ROOT_URL)) return undefined
  const [, location, path] = /^((?:apps|packages)\/[^/]+)\/dist\/(.*)\.js$/.exec(url.slice(ROOT_URL.length)) ?? []
  return location === undefined ? undefined : `${location}/src/${path}.ts`
}

/** Returns whether a function other than the module itself ran. */
function ran({ functions }: Profiler.ScriptCoverage): boolean {
  return functions.some(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0)
}

async function call(url: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

async function filesEntered(session: Session): Promise<readonly string[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage")
  return result.filter(ran).flatMap(({ url }) => sourceOf(url) ?? [])
}

function show(title: string, files: Iterable<string>): void {
  const sorted = [...files].toSorted()
  stdout.write(`${title}: ${sorted.length} files\n${sorted.map((file) => `  ${file}\n`).join("")}`)
}

/** Longest time that the job may take, in milliseconds. */
const MAX_WAIT_MS = 30_000

async function waitForEnd(jobUrl: string): Promise<void> {
  for (const start = performance.now(); performance.now() - start < MAX_WAIT_MS; await sleep(50)) {
    const { status } = await call(`${jobUrl}/status`)
    if (status === "COMPLETED") return
  }
  throw new Error(`${jobUrl} did not complete within ${MAX_WAIT_MS} ms`)
}

const folder = await mkdtemp(join(tmpdir(), "assay-launch-"))
const session = new Session()
session.connect()
try {
  const env = { PORT: "0", ASSAY_DATA_DIR: "data", ASSAY_LOG_LEVEL: "error" }
  const { settings } = loadSettings({ cwd: folder, env })
  const logger = createLogger(settings, false)
  const server = await serve({ settings, cwd: folder, now: Date.now, randomBytes, logger })
  const jobs = `${server.url}/v1/evaluation/jobs`
  try {
    await session.post("Profiler.enable")
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
    await filesEntered(session)
    const { id } = await call(`${jobs}?skip_validation_checks=true`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(JOB),
    })
    const launched = await filesEntered(session)
    show("Until the response", launched)
    await waitForEnd(`${jobs}/${String(id)}`)
    show("Until the job has ended", new Set([...launched, ...(await filesEntered(session))]))
  } finally {
    await server.close()
  }
} finally {
  session.disconnect()
  await rm(folder, { recursive: true, force: true })
}
