import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process"
import { once } from "node:events"
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { SandboxReport, SandboxTask } from "../testing/run-in-sandbox.ts"
import { openHarnessSandbox, type OpenSandboxOptions } from "./open-harness-sandbox.ts"
import { findSandboxTools, type SandboxTools } from "./sandbox-tools.ts"

const PROGRAM = fileURLToPath(new URL("../testing/run-in-sandbox.ts", import.meta.url))
const SECRET = "the-secret-of-the-server"
const { uid: ownUid } = userInfo()
/** A user other than root. Its sandboxes are made in a user namespace. */
const SOMEBODY = 12_345

interface Way {
  readonly name: string
  readonly tools: SandboxTools
  readonly uid: number
}

const { bwrap: _bwrap, ...withoutBwrap } = findSandboxTools()
const { unshare: _unshare, ...withoutUnshare } = findSandboxTools()
const BOTH = [
  { name: "bubblewrap", tools: withoutUnshare },
  { name: "unshare", tools: withoutBwrap },
]
/** If the tests run as root, they also test a server without root. */
const WAYS: readonly Way[] = BOTH.flatMap(({ name, tools }) => [
  { name: `${name}, started by ${ownUid === 0 ? "root" : "a user"}`, tools, uid: ownUid },
  ...(ownUid === 0 ? [{ name: `${name}, started by a user`, tools, uid: SOMEBODY }] : []),
])

let folder: string
let port: number
const server = createServer((_, response) => response.end(SECRET))
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-sandboxes-"))
  await mkdir(join(folder, "bin"))
  await mkdir(join(folder, "data"))
  // Processes of every user keep compiled modules here, so that only the first one compiles them.
  await mkdir(join(folder, "cache"))
  await chmod(join(folder, "cache"), 0o777)
  // A copy that every user may run.
  await copyFile(process.execPath, join(folder, "bin", "node"))
  await writeFile(join(folder, "data", "encryption-keys"), SECRET)
  for (const path of [folder, join(folder, "data")]) if (ownUid === 0) await chown(path, SOMEBODY, SOMEBODY)
  server.listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  ;({ port } = server.address() as AddressInfo)
})
afterAll(async () => {
  for (const { child } of processes.values()) {
    child.stdin.end()
    await once(child, "close")
  }
  server.close()
  await rm(folder, { recursive: true })
})

interface SandboxProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
  readonly reports: AsyncIterator<string, unknown>
}
const processes = new Map<number, SandboxProcess>()

/** Starts a process that makes sandboxes, as the user `uid` and with a secret in its environment. */
function startProcess(uid: number): SandboxProcess {
  const child = spawn(join(folder, "bin", "node"), [PROGRAM], {
    env: { ASSAY_ENCRYPTION_KEYS: SECRET, NODE_COMPILE_CACHE: join(folder, "cache") },
    stdio: ["pipe", "pipe", "inherit"],
    cwd: "/",
    ...(uid === ownUid ? {} : { uid, gid: uid }),
  })
  return { child, reports: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

/** Runs a command in a sandbox, which the process of the user of `way` makes. */
async function run(
  { tools, uid }: Way,
  command: SandboxTask["command"],
  more: Partial<OpenSandboxOptions> = {},
  variables: SandboxTask["variables"] = {},
  limits: SandboxTask["limits"] = {},
): Promise<SandboxReport> {
  const options = {
    platform: "linux",
    uid,
    node: join(folder, "bin", "node"),
    folders: [join(folder, "bin")],
    hidden: [join(folder, "data")],
    tools,
    ...more,
  }
  const task: SandboxTask = { options, command, variables, limits, parent: folder }
  const { child, reports } = processes.get(uid) ?? startProcess(uid)
  processes.set(uid, { child, reports })
  child.stdin.write(`${JSON.stringify(task)}\n`)
  const { value, done } = await reports.next()
  if (done === true) throw new Error("The process that makes sandboxes has ended.")
  return JSON.parse(value)
}

/** Returns the output lines of a Node script in the sandbox. */
async function linesOf(way: Way, script: string): Promise<readonly string[]> {
  const report = await run(way, [join(folder, "bin", "node"), "--input-type=module", "-e", script])
  if ("unavailable" in report) throw new Error(report.unavailable)
  return [...report.lines, JSON.stringify(report.end)]
}

/** Returns whether this machine lets the user of `way` make such a sandbox at all, tested without any code of the package. */
function isPossible({ tools, uid }: Way): boolean {
  const { bwrap, unshare } = tools
  const users = uid === 0 ? [] : ["--user", "--map-root-user"]
  const [program, args] =
    bwrap === undefined
      ? [unshare, [...users, "--mount", "--pid", "--net", "--fork", "/bin/true"]]
      : [bwrap, ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "/bin/true"]]
  if (program === undefined) return false
  return spawnSync(program, args, { cwd: "/", ...(uid === ownUid ? {} : { uid, gid: uid }) }).status === 0
}

const HOSTILE = (own: string) => `
  import { execFileSync } from "node:child_process"
  import { existsSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
  import { connect } from "node:net"
  const report = (what, found) => console.log(what + ": " + found)
  const attempt = (what, act) => { try { report(what, String(act()).slice(0, 2000)) } catch (error) { report(what, "refused " + (error.code ?? error.message)) } }
  attempt("parent", () => readFileSync("/proc/" + process.ppid + "/environ", "latin1"))
  for (const name of readdirSync("/proc").filter((one) => Number(one) > 0))
    attempt("process", () => readFileSync("/proc/" + name + "/environ", "latin1"))
  attempt("processes", () => readdirSync("/proc").filter((one) => Number(one) > 0).length <= 4)
  attempt("keys", () => readFileSync(${JSON.stringify(own)} + "/data/encryption-keys", "utf8"))
  attempt("above", () => readdirSync("..").toSorted().join(" "))
  attempt("far above", () => readFileSync("../../../../../../.." + ${JSON.stringify(own)} + "/data/encryption-keys", "utf8"))
  attempt("through proc", () => readFileSync("/proc/1/root" + ${JSON.stringify(own)} + "/data/encryption-keys", "utf8"))
  attempt("home", () => "none " + ["/root", "/home", "/var", "/srv", "/opt", "/mnt"].filter(existsSync).join())
  attempt("shadow", () => readFileSync("/etc/shadow", "utf8"))
  attempt("user", () => process.getuid() + " " + process.getgroups().join())
  attempt("rights", () => /CapEff:\\s*(\\w+)/.exec(readFileSync("/proc/self/status", "utf8"))[1])
  attempt("no new rights", () => /NoNewPrivs:\\s*(\\w+)/.exec(readFileSync("/proc/self/status", "utf8"))[1])
  for (const place of ["/", "/usr", "/usr/bin", "/etc", "/run", "/proc", ${JSON.stringify(`${own}/bin`)}])
    attempt("write", () => writeFileSync(place + "/written", ""))
  attempt("link", () => linkSync("/usr/bin/env", "linked"))
  attempt("remount", () => execFileSync("/usr/bin/mount", ["-o", "remount,bind,rw", "/usr"], { stdio: "pipe" }))
  attempt("kill the server", () => process.kill(${process.pid}, "SIGKILL"))
  attempt("own folder", () => { writeFileSync("mine", "x"); for (const place of ["/tmp", "/dev/shm"]) writeFileSync(place + "/mine", "x"); return process.cwd() })
  attempt("own link", () => { symlinkSync(${JSON.stringify(own)} + "/data/encryption-keys", "results.json"); return readFileSync("results.json", "utf8") })
  attempt("environment", () => JSON.stringify(process.env))
  for (const [host, port] of [["127.0.0.1", ${port}], ["192.0.2.1", 53]]) {
    const socket = connect({ host, port, timeout: 3000 })
    socket.on("connect", () => { report("network", "connected"); socket.destroy() })
    socket.on("timeout", () => { report("network", "tried"); socket.destroy() })
    socket.on("error", (error) => report("network", "refused " + error.code))
  }
`

// If this machine can't make a sandbox, its tests are reported as skipped.
describe.each(WAYS)("a harness in a sandbox of $name", (way) => {
  const isMade = isPossible(way)

  it.runIf(isMade)(
    "sees nothing of the server and of other users, and can write only to its own folder",
    verifies("harness.sandbox"),
    async () => {
      const lines = await linesOf(way, HOSTILE(folder))
      const found = (what: string) =>
        lines.filter((line) => line.startsWith(`${what}: `)).map((line) => line.slice(what.length + 2))
      expect(lines.join("\n")).not.toContain(SECRET)
      expect(lines.join("\n")).not.toContain("run's folder")
      expect(lines.at(-1)).toBe('{"kind":"exited","code":0}')
      expect(found("processes")).toEqual(["true"])
      expect(found("home")).toEqual(["none"])
      for (const what of ["keys", "far above", "through proc", "shadow", "write", "link", "remount", "network"]) {
        expect(found(what).length, what).toBeGreaterThan(0)
        expect(
          found(what).filter((one) => !one.startsWith("refused ")),
          what,
        ).toEqual([])
      }
      expect(found("user")).toEqual(["65534 65534"])
      expect(found("rights")).toEqual(["0000000000000000"])
      expect(found("no new rights")).toEqual(["1"])
      expect(found("kill the server")).toEqual(["refused ESRCH"])
      expect(found("own folder")).toEqual(["/harness"])
      expect(found("own link")).toEqual(["refused ENOENT"])
      expect(JSON.parse(found("environment")[0] ?? "{}")).toMatchObject({ HOME: "/harness", MODE: "quick" })
    },
  )

  it.runIf(isMade)(
    "does not see the data folder and the settings of the server, even in a folder that it may read",
    verifies("harness.sandbox"),
    async () => {
      const shown = join(folder, "shown")
      await mkdir(join(shown, "data", "deep"), { recursive: true })
      for (const name of ["readable", "settings", "data/keys"])
        await writeFile(join(shown, name), name === "readable" ? "yes" : SECRET)
      const hidden = [join(shown, "data"), join(shown, "settings"), join(shown, "not-there")]
      const script = "cd $0 && cat readable settings; echo; echo in data: $(ls -A data); echo x >data/x || echo refused"
      const report = await run(way, ["/bin/sh", "-c", script, shown], { folders: [shown], hidden })
      expect(report).toMatchObject({ lines: expect.arrayContaining(["yes", "in data:", "refused"]), end: { code: 0 } })
      expect(JSON.stringify(report)).not.toContain(SECRET)
    },
  )

  it.runIf(isMade)(
    "sets its variables inside the sandbox, so that none of them reaches the programs that make the sandbox",
    verifies("harness.sandbox"),
    async () => {
      const value = `it's "$(id)" \\ \n two`
      const variables = { ODD: value, LD_PRELOAD: "not-there.so", IFS: "0", "BAD NAME": "x" }
      const report = await run(way, ["/usr/bin/env", "-0"], {}, variables)
      if ("unavailable" in report) throw new Error(report.unavailable)
      const text = report.lines.join("\n")
      expect(report.end).toEqual({ kind: "exited", code: 0 })
      // The loader writes one complaint for each program. The first program is the command.
      expect(text.split("not-there.so").length).toBe(3)
      expect(text).toContain("it's")
      expect(text).not.toContain("uid=")
    },
  )

  it.runIf(isMade)(
    "is ended when any of its processes uses more than its limits allow",
    // Longer than the time limits of both commands: if nothing is noticed, the failure shows how they ended.
    { ...verifies("harness.limits", "harness.sandbox"), timeout: 180_000 },
    async () => {
      const node = join(folder, "bin", "node")
      const work = "globalThis.kept = Buffer.alloc(250e6, 1); setInterval(() => {}, 1000)"
      const script = `for (const detached of [false, true]) require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(work)}], { detached, stdio: "ignore" })
      setInterval(() => {}, 1000)`
      const memory = await run(way, [node, "-e", script], {}, {}, { memory: 400 * 1_048_576 })
      expect(memory).toMatchObject({ end: { kind: "over-limit", what: expect.stringContaining("limits.memory") } })
      const fill = "head -c 30000000 /dev/zero >$TMPDIR/a; head -c 30000000 /dev/zero >b; exec sleep 1000"
      const disk = await run(way, ["/bin/sh", "-c", fill], {}, {}, { disk: 40 * 1_048_576 })
      expect(disk).toMatchObject({ end: { kind: "over-limit", what: expect.stringContaining("limits.disk") } })
    },
  )

  it.runIf(isMade)(
    "ends with its exit code, and none of its processes continues",
    verifies("harness.sandbox"),
    async () => {
      // Another run of the tests on this machine has another number.
      const command = `sleep 98${process.pid}`
      const script = `import { spawn } from "node:child_process"
      spawn("/bin/sh", ["-c", "${command}"], { detached: true, stdio: "ignore" }).unref()
      process.exit(7)`
      const lines = await linesOf(way, script)
      expect(lines).toEqual(['{"kind":"exited","code":7}'])
      expect(await commandLines()).not.toContain(command)
    },
  )
})

it(
  "opening a sandbox that can't be made fails with what is missing and the setting that does without",
  verifies("harness.trusted"),
  async () => {
    const options = { platform: "linux", uid: ownUid, node: process.execPath, folders: [], hidden: [], tools: {} }
    await expect(openHarnessSandbox(options)).rejects.toMatchObject({
      code: "bad_settings",
      message: expect.stringMatching(/bubblewrap: not installed: bwrap[^]*unshare: not installed[^]*ISOLATION=trusted/),
    })
    await expect(openHarnessSandbox({ ...options, platform: "darwin" })).rejects.toThrow(/darwin.*Linux/)
  },
)

it.each([
  [{ folders: ["/"] }, /'\/' is a place that the sandbox makes itself/],
  [{ folders: ["/etc/ssl/private"] }, /ssl\/private/],
  [{ folders: ["/tmp"] }, /'\/tmp'/],
  [{ folders: ["/not/there"] }, /'\/not\/there' does not exist/],
])("a sandbox with %j is refused", verifies("harness.sandbox"), async (more, message) => {
  const options = { platform: "linux", uid: ownUid, node: process.execPath, hidden: [], ...more }
  await expect(openHarnessSandbox(options)).rejects.toMatchObject({
    code: "bad_settings",
    message: expect.stringMatching(message),
  })
})

/** Returns the command lines of every process of this machine. */
async function commandLines(): Promise<string> {
  const { readFile } = await import("node:fs/promises")
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, "latin1").catch(() => "")))
  return texts.map((line) => line.replaceAll("\0", " ")).join("\n")
}
