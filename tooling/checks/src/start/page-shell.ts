import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { stripVTControlCharacters } from "node:util"
import { createFakeModels, readScript, startFakeInference } from "@assay/testkit"
import { REPOSITORY_ROOT } from "../reading/repository.ts"

const MAIN = join(REPOSITORY_ROOT, "apps/cli/dist/bundle/main.js")
/** The addresses that pages name. */
const SERVER = "127.0.0.1:8080"
const ENDPOINT = "127.0.0.1:9000"

export interface PageShellOptions {
  readonly hasServer: boolean
  /** The file, from the root, from which the endpoint plays models besides its own. Default: none. */
  readonly script: string | undefined
}

export interface PageShell {
  /** Runs the commands of a block as a reader would. Output has the addresses of the page. */
  run(commands: string): Promise<{ readonly exitCode: number | null; readonly output: string }>
  close(): Promise<void>
}

/**
 * Whether there is `script` of util-linux, which gives a program a terminal. Without one, output has another form for some
 * commands, and cannot be compared with the pages.
 */
export const hasTerminal = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "")

/**
 * Opens a shell in a new folder with the examples and the documentation. In it, `assay` is the built program. It has a fake
 * endpoint and, if asked for, a server, each on a free port that replaces the one of the pages.
 */
export async function openPageShell({ hasServer, script }: PageShellOptions): Promise<PageShell> {
  const folder = mkdtempSync(join(tmpdir(), "assay-pages-"))
  const scripted = script === undefined ? undefined : readScript(readFileSync(join(REPOSITORY_ROOT, script), "utf8"))
  const models = scripted && { models: { ...createFakeModels(), ...scripted } }
  const endpoint = await startFakeInference({ record: false, ...models })
  const env = environmentOf(folder)
  const server = hasServer ? await startServer(folder, env) : undefined
  const addresses: (readonly [string, string])[] = [[ENDPOINT, new URL(endpoint.url).host]]
  if (server !== undefined) addresses.push([SERVER, new URL(server.url).host])
  const toReal = (page: string) => addresses.reduce((all, [shown, real]) => all.replaceAll(shown, real), page)
  const toShown = (out: string) => addresses.reduce((all, [shown, real]) => all.replaceAll(real, shown), out)
  copyFiles(folder, toReal)
  return {
    async run(commands) {
      const block = join(folder, "home", "block.sh")
      writeFileSync(block, `${hasTerminal ? "stty cols 120\n" : ""}${toReal(commands)}`)
      const [program, args] = hasTerminal ? ["script", ["-qec", `sh '${block}'`, "/dev/null"]] : ["sh", [block]]
      const child = spawn(program, args, {
        cwd: folder,
        env: server === undefined ? env : { ...env, ASSAY_URL: server.url },
        stdio: ["ignore", "pipe", "pipe"],
      })
      const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
      return { exitCode: code as number | null, output: toShown(plain(out + errors)) }
    },
    async close() {
      if (server !== undefined) await stop(server.child)
      await endpoint.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes the folder of programs, in which `assay` is the command that the build made, and a home without settings of the user. */
function environmentOf(folder: string): NodeJS.ProcessEnv {
  const [bin, home] = [join(folder, "home", "bin"), join(folder, "home")]
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, "assay"), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
  chmodSync(join(bin, "assay"), 0o755)
  return { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: home, NO_COLOR: "1", TERM: "xterm", LANG: "C.UTF-8" }
}

/** Copies what pages use, with the addresses that exist. */
function copyFiles(folder: string, toReal: (text: string) => string): void {
  const filter = (path: string) => !/node_modules|\.assay/.test(path)
  for (const name of ["examples", "docs"]) {
    cpSync(join(REPOSITORY_ROOT, name), join(folder, name), { recursive: true, filter })
  }
  for (const path of readdirSync(join(folder, "examples"), { recursive: true, encoding: "utf8" })) {
    if (!/\.(yaml|json|sh)$/.test(path)) continue
    const file = join(folder, "examples", path)
    writeFileSync(file, toReal(readFileSync(file, "utf8")))
  }
}

async function startServer(folder: string, env: NodeJS.ProcessEnv) {
  const data = join(folder, "home", "data")
  const child = spawn(process.execPath, [MAIN, "serve", "--port", "0", "--data-dir", data, "--json"], {
    cwd: join(folder, "home"),
    env: { ...env, ASSAY_LOG_LEVEL: "silent" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [said]: unknown[] = await Promise.race([
    once(child.stdout, "data"),
    once(child, "close").then(() => Promise.reject(new Error("The server did not start."))),
  ])
  const { url }: { url: string } = JSON.parse(String(said))
  return { child, url }
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, "close")
  child.kill("SIGINT")
  await closed
}

/** Returns what remains on a screen: without lines that were overwritten, and without control sequences. */
function plain(output: string): string {
  return stripVTControlCharacters(output.replaceAll("\r\n", "\n").replaceAll(/^.*\r/gm, ""))
}
