import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { startFakeInference, verifies } from "@assay/testkit"
import openapiTS, { astToString } from "openapi-typescript"
import { expect, it, onTestFinished } from "vitest"
import { startTestServer } from "../testing/start-test-server.ts"

const run = promisify(execFile)
const PACKAGE = new URL("../../", import.meta.url)
const OPTIONS = [
  "--ignoreConfig",
  "--strict",
  "--exactOptionalPropertyTypes",
  "--noUncheckedIndexedAccess",
  "--allowImportingTsExtensions",
]

/** Makes a folder in which programs find the libraries of this package. */
async function makeFolder(): Promise<string> {
  const cache = fileURLToPath(new URL(".cache/", PACKAGE))
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, "client-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it(
  "openapi-typescript and openapi-fetch make a client of the description that compiles, and works from a workspace to a guardrail",
  verifies("service.openapi-clients"),
  async () => {
    const [folder, fake] = [await makeFolder(), await startFakeInference()]
    onTestFinished(() => fake.close())
    await using server = await startTestServer()
    const { json } = await server.call("GET", "/openapi.json")
    await writeFile(join(folder, "assay.d.ts"), astToString(await openapiTS(json)))
    await writeFile(join(folder, "package.json"), '{"type": "module"}')
    const program = join(folder, "newcomer.ts")
    await cp(new URL("newcomer.ts.txt", import.meta.url), program)
    const compiler = createRequire(PACKAGE).resolve("typescript/package.json").replace("package.json", "bin/tsc")
    const words = [
      compiler,
      ...OPTIONS,
      "--noEmit",
      "--module",
      "nodenext",
      "--target",
      "esnext",
      "--types",
      "node",
      program,
    ]
    const compiled = await run(process.execPath, words, { cwd: folder }).catch(
      (error: { readonly stdout: string }) => error,
    )
    expect(compiled.stdout).toBe("")
    const env = { ...process.env, ASSAY_URL: server.url, MODEL_URL: `${fake.url}/v1` }
    const { stdout } = await run(process.execPath, [program], { cwd: folder, env })
    expect(JSON.parse(stdout)).toEqual([75, ["rows.jsonl"], 2, "COMPLETED", 1, "success"])
  },
)
