import { spawnSync } from "node:child_process"
import { mkdtempDisposableSync, readdirSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { beforeAll, describe, expect, it } from "vitest"
import { openHarnessSandbox } from "../sandbox/open-harness-sandbox.ts"
import { createProgramSandbox, type ProgramSandbox } from "./program-sandbox.ts"

/** Whether this machine supports namespaces, tested without any code of the package. */
const isSandboxPossible =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "/bin/true"]).status === 0 ||
  spawnSync("unshare", ["--map-root-user", "--mount", "--pid", "--net", "--fork", "/bin/true"]).status === 0

let sandbox: Awaited<ReturnType<typeof openHarnessSandbox>>
beforeAll(async () => {
  if (!isSandboxPossible) return
  const own = { platform: "linux", uid: userInfo().uid, node: process.execPath, folders: [], hidden: [] }
  sandbox = await openHarnessSandbox(own)
})

const signal = new AbortController().signal
const MIB = 1024 * 1024

/** Opens programs in a folder of their own, which must be empty at the end. */
function open() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "hostile-"))
  let ids = 0
  const programs: ProgramSandbox = createProgramSandbox({
    sandbox,
    workFolder: folder.path,
    newId: (prefix) => `${prefix}-${++ids}`,
    elapsed: () => performance.now(),
    inference: { now: () => performance.now(), random: Math.random, sleep: async () => {} },
  })
  const shell = (script: string) => ({ command: ["/bin/sh", "-c", script], files: {}, environment: {} })
  return {
    run: (script: string, { timeLimitMs = 30_000, input = "" } = {}) =>
      programs.run({ ...shell(script), input, timeLimitMs }, signal),
    serve: (script: string, limits: { readonly startLimitMs?: number; readonly callLimitMs?: number } = {}) =>
      programs.open(shell(script), { startLimitMs: 20_000, callLimitMs: 20_000, ...limits, signal }),
    [Symbol.dispose]() {
      expect(readdirSync(folder.path)).toEqual([])
      folder.remove()
    },
  }
}

describe.runIf(isSandboxPossible)("a hostile program", () => {
  it.each([
    ["in the background", "sleep 600 & echo done"],
    ["in a session of its own", "setsid sleep 600 & echo done"],
    ["that closes nothing", "(trap '' TERM HUP; sleep 600) & echo done"],
  ])("ends with its first process, also if it leaves one %s", verifies("run.tool-programs"), async (_how, script) => {
    using hostile = open()
    expect(await hostile.run(script)).toMatchObject({ ok: true, output: "done\n" })
  })

  it("can't start processes without end", verifies("run.tool-programs"), async () => {
    using hostile = open()
    const end = await hostile.run("f() { f | f & }; f; sleep 600", { timeLimitMs: 20_000 })
    expect(end).toMatchObject({ ok: false, why: expect.stringMatching(/processes/), isTooSlow: false })
  })

  it.each([
    ["its output", "exec yes", "it wrote more than 8 MiB"],
    ["its output without lines", "exec cat /dev/zero", "it wrote more than 8 MiB"],
    ["its errors", "exec yes >&2", "it did not end within 1 s"],
    ["its errors without lines", "exec cat /dev/zero >&2", "it did not end within 1 s"],
  ])("can't fill memory with %s", verifies("run.tool-programs"), async (_what, script, why) => {
    using hostile = open()
    const before = process.memoryUsage().rss
    const end = await hostile.run(script, { timeLimitMs: why.includes("1 s") ? 1000 : 30_000 })
    expect(end).toMatchObject({ ok: false, why: expect.stringContaining(why) })
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MIB)
  })

  it("may leave its input unread", async () => {
    using hostile = open()
    expect(await hostile.run("echo done", { input: "x".repeat(8 * MIB) })).toMatchObject({ output: "done\n" })
  })
})

/** A server in Python that answers what `answer` computes from `ask`, a request, and `id`. */
const server = (answer: string) => `exec python3 -c '
import json, sys
def say(result): print(json.dumps({"jsonrpc": "2.0", "id": ask["id"], "result": result}), flush=True)
tool = lambda n: {"name": "t%d" % n, "inputSchema": {"type": "object"}}
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask: continue
    if ask["method"] == "initialize": say({"protocolVersion": ask["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}); continue
${answer.replaceAll(/^/gm, "    ")}
'`

describe.runIf(isSandboxPossible)("a hostile server of tools", () => {
  it.each([
    ["never answers", "exec sleep 600", /did not get ready: .*(?:timed out|timeout)/i],
    ["dies at once", "echo 'no key' >&2; exit 3", /did not get ready: it ended with exit code 3: no key/],
    ["prints lines that are not messages", "exec yes", /did not get ready: .*(?:timed out|timeout)/i],
    ["prints messages that nobody asked for", `exec yes '{"jsonrpc":"2.0","method":"a"}'`, /did not get ready/],
    ["prints one line without end", "exec cat /dev/zero", /did not get ready: it wrote a message of more than 8 MiB/],
  ])("has no tools and is ended if it %s", verifies("run.tool-programs"), async (_how, script, why) => {
    using hostile = open()
    const before = process.memoryUsage().rss
    const opened = await hostile.serve(script, { startLimitMs: why.source.includes("exit") ? 20_000 : 1500 })
    await expect(opened.list()).rejects.toMatchObject({ code: "harness_failed", message: expect.stringMatching(why) })
    expect(await opened.call("t0", {})).toMatchObject({ fault: expect.stringMatching(/did not get ready/) })
    await opened.close()
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MIB)
  })

  it("offers at most 128 tools on 20 pages, and at most 1 MiB about them", verifies("run.tool-programs"), async () => {
    using hostile = open()
    for (const [page, why] of [
      [`say({"tools": [], "nextCursor": "again"})`, undefined],
      [`say({"tools": [tool(n) for n in range(129)]})`, "offers more than 128 tools"],
      [`say({"tools": [{**tool(0), "description": "x" * 2000000}]})`, "describes its tools in 20000"],
    ] as const) {
      const opened = await hostile.serve(server(page))
      if (why === undefined) expect(await opened.list()).toEqual([])
      else await expect(opened.list()).rejects.toThrow(why)
      await opened.close()
    }
  })

  it("that does not answer a call, or too much, is a fault of the call; a server that ignores its end is killed", async () => {
    using hostile = open()
    const silent = await hostile.serve(server("pass"), { callLimitMs: 500 })
    expect(await silent.call("t0", {})).toMatchObject({ fault: expect.stringMatching(/timed out|timeout/i) })
    await silent.close()
    const loud = await hostile.serve(server(`say({"content": [{"type": "text", "text": "x" * 9000000}]})`))
    expect(await loud.call("t0", {})).toMatchObject({ fault: expect.stringContaining("more than 8 MiB") })
    await loud.close()
    const stubborn = await hostile.serve(`trap '' TERM HUP INT; ${server("pass").replace("exec ", "")}; sleep 600`)
    await stubborn.close()
  })
})
