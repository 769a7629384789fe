import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readText, REPOSITORY_ROOT } from "./reading/repository.ts"

/** Replaces npm: records its arguments and returns a PATH of recording tools. */
const NPM = `
import { appendFileSync } from "node:fs"
appendFileSync(process.env.LOG, "npm " + process.argv.slice(2).join(" ") + "\\n")
console.log(process.env.TOOLS + ":" + process.env.PATH + "\\nv24.0.0")`

/** Replaces the server: exits with the given code, or waits for a signal. */
const SERVER = `
import { appendFileSync } from "node:fs"
appendFileSync(process.env.LOG, "PORT=" + process.env.PORT + "\\n")
if (process.env.ENDS_WITH !== undefined) process.exit(Number(process.env.ENDS_WITH))
process.on("SIGTERM", () => { appendFileSync(process.env.LOG, "stopped\\n"); process.exit(0) })
setTimeout(() => {}, 30_000)
appendFileSync(process.env.LOG, "ready\\n")`

const OLD_NODE =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-bootstrap-"))
  mkdirSync(join(folder, "tooling"))
  mkdirSync(join(folder, "bin"))
  copyFileSync(join(REPOSITORY_ROOT, "tooling/bootstrap.mjs"), join(folder, "tooling/bootstrap.mjs"))
  writeFileSync(join(folder, "npm-cli.js"), NPM)
  writeFileSync(join(folder, "package.json"), '{"type": "module"}')
  writeFileSync(join(folder, "server.mjs"), SERVER)
  for (const tool of ["pnpm", "tsc", "turbo"]) {
    writeFileSync(join(folder, "bin", tool), `#!/bin/sh\necho "${tool} $*" >> "$LOG"\n`, { mode: 0o755 })
  }
  const node = `#!/bin/sh\necho "node $*" >> "$LOG"\nexec "${process.execPath}" "${join(folder, "server.mjs")}"\n`
  writeFileSync(join(folder, "bin/node"), node, { mode: 0o755 })
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function log(): readonly string[] {
  const path = join(folder, "log")
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []
}

function start(task: string, env: Readonly<Record<string, string>> = {}, nodeOptions: readonly string[] = []) {
  return spawn(process.execPath, [...nodeOptions, "tooling/bootstrap.mjs", task], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      ...process.env,
      PORT: undefined,
      ...env,
      LOG: join(folder, "log"),
      TOOLS: join(folder, "bin"),
      npm_execpath: join(folder, "npm-cli.js"),
    },
  })
}

async function run(...given: Parameters<typeof start>): Promise<unknown> {
  const child = start(...given)
  child.stdout.resume()
  const [code]: unknown[] = await once(child, "close")
  return code
}

describe("npm test and npm start", () => {
  it("npm test installs, builds, type-checks, lints and runs every test", verifies("start.test-command"), async () => {
    expect(await run("test")).toBe(0)
    expect(log().slice(1)).toEqual([
      "pnpm install --frozen-lockfile --reporter=silent",
      "tsc -b --noCheck apps/cli/tsconfig.build.json apps/server/tsconfig.build.json packages/testkit/tsconfig.build.json",
      "turbo run build lint test test:packages --concurrency=4",
    ])
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readText("package.json"))
    expect(scripts["test"]).toBe("exec node tooling/bootstrap.mjs test")
  })

  it("npm start installs, builds what changed, and runs the server", verifies("start.serves"), async () => {
    expect(await run("start", { ENDS_WITH: "0" })).toBe(0)
    expect(log().slice(1)).toEqual([
      "pnpm install --frozen-lockfile --reporter=silent",
      "tsc -b --noCheck apps/server/tsconfig.build.json",
      "turbo run build --filter=@assay/server... --output-logs=errors-only",
      "node apps/server/dist/bundle/main.js",
      "PORT=undefined",
    ])
  })

  it("npm run setup builds the command, and prints how to put it on the path", async () => {
    const child = start("setup", { ENDS_WITH: "0" })
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text))
    expect((await once(child, "close"))[0]).toBe(0)
    expect(log()).toContain("turbo run build --filter=@assay/cli... --output-logs=errors-only")
    const [, path = ""] = /export PATH='([^']+)':"\$PATH"/.exec(printed) ?? []
    expect(readFileSync(join(path, "assay"), "utf8")).toContain(join(folder, "apps/cli/dist/bundle/main.js"))
  })

  it(
    "fetch Node 24 through npm where Node is older, and not where it is not",
    verifies("start.fetches-node"),
    async () => {
      await run("setup", {}, ["--import", OLD_NODE])
      rmSync(join(folder, ".cache"), { recursive: true, force: true })
      await run("setup")
      const asked = log().filter((line) => line.startsWith("npm "))
      expect(asked).toHaveLength(2)
      expect(asked[0]).toMatch(/--package=node(-bin)?-\w+-\w+@24\.\d+\.\d+ /)
      expect(asked[1]).not.toContain("--package=node")
    },
  )

  it("pass PORT and the exit code through", verifies("start.passes-through"), async () => {
    expect(await run("start", { PORT: "8123", ENDS_WITH: "7" })).toBe(7)
    expect(log()).toContain("PORT=8123")
  })

  it("pass a signal through, and end as the server ended", verifies("start.passes-through"), async () => {
    const child = start("start")
    child.stdout.resume()
    const closed = once(child, "close")
    await expect.poll(log).toContain("ready")
    child.kill("SIGTERM")
    expect(await closed).toEqual([0, null])
    expect(log()).toContain("stopped")
  })

  it("fetch the Node that .nvmrc names", () => {
    const [, version] = /^const NODE = "(.+)"$/m.exec(readText("tooling/bootstrap.mjs")) ?? []
    expect(readText(".nvmrc").trim()).toBe(version)
  })

  it("are all that continuous integration calls, besides what it installs", verifies("start.ci"), () => {
    const lines = readText(".ci/run")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
    expect(lines.slice(0, 2)).toEqual(["set -euo pipefail", 'cd "$(dirname "$0")/.."'])
    expect(lines.at(-1)).toBe("npm test")
    // It builds while the tools are installed, by the command that people type first.
    const others = lines.slice(2, -1).filter((line) => /\b(npm|npx|pnpm|node|turbo|vitest|tsc)\b/.test(line))
    expect(others).toEqual(["npm run setup >/dev/null 2>&1 || true"])
  })
})
