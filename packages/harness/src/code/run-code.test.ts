import { spawnSync } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openHarnessSandbox } from "../sandbox/open-harness-sandbox.ts"
import { openProgramRunner } from "./open-program-runner.ts"
import type { RunProgram } from "./run-code.ts"

const { signal } = new AbortController()
let folder: string
let ids = 0
const ports = () => ({
  workFolder: folder,
  newId: (prefix: string) => `${prefix}-${++ids}`,
  elapsed: () => performance.now(),
})
const OPTIONS = { platform: "linux", uid: userInfo().uid, node: process.execPath, folders: [], hidden: [] }

/** Whether this machine supports namespaces, tested without any code of the package. */
const isSandboxPossible =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "/bin/true"]).status === 0 ||
  spawnSync("unshare", ["--map-root-user", "--mount", "--pid", "--net", "--fork", "/bin/true"]).status === 0

let run: RunProgram
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-programs-"))
  if (isSandboxPossible)
    run = await openProgramRunner({ ...ports(), openSandbox: () => openHarnessSandbox(OPTIONS) }, signal)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const PROGRAMS: readonly (readonly [name: string, source: string, end: object])[] = [
  ["comes to its end", "print('mark-1')\nassert 1 + 1 == 2\n", { kind: "finished" }],
  ["fails a test", "assert 1 == 2, 'no'\n", { kind: "failed", error: "AssertionError: no" }],
  ["has a syntax error", "def f(:\n", { kind: "failed", error: "SyntaxError: invalid syntax" }],
  ["exits before its tests", "import sys\nsys.exit(0)\nassert False\n", { kind: "failed" }],
  ["exits at once before its tests", "import os\nos._exit(0)\n", { kind: "failed" }],
  [
    "closes its output and prints other marks",
    "print('begin mark-9\\nmark-9')\nimport os\nos.close(1)\nos._exit(0)\n",
    { kind: "failed" },
  ],
  ["does not end", "while True: pass\n", { kind: "too-slow" }],
  [
    "starts too many processes",
    // Those that the system refuses to start wait, so that the program does not end before it is looked at.
    "import os, time\nfor _ in range(200):\n  try: os.fork()\n  except OSError: time.sleep(1)\n",
    { kind: "over-limit" },
  ],
  ["takes too much memory", "x = bytearray(2 * 1024 ** 3)\n", { kind: "failed", error: "MemoryError" }],
  ["writes too much", "while True: print('x' * 1000)\n", { kind: "over-limit" }],
  ["writes a file that is too large", "open('f', 'wb').write(b'x' * (100 * 1024 ** 2))\n", { kind: "failed" }],
  ["wants the network", "import socket\nsocket.create_connection(('127.0.0.1', 1))\n", { kind: "failed" }],
  ["writes outside of its folder", "open('/usr/x', 'w')\n", { kind: "failed" }],
  [
    "looks for variables and files",
    `import os\nassert not os.path.exists(${JSON.stringify("FOLDER")})\nassert not [n for n in os.environ if 'ASSAY' in n]\n`,
    { kind: "finished" },
  ],
]

describe("a program of a model", () => {
  it.runIf(isSandboxPossible).each(PROGRAMS)(
    "that %s is stopped or ends as it should",
    verifies("metric.code-execution"),
    async (_, source, end) => {
      const program = {
        source: source.replace("FOLDER", folder),
        timeLimitMs: "kind" in end && end.kind === "too-slow" ? 1000 : 10_000,
      }
      expect(await run(program, signal)).toMatchObject(end)
      expect(await readdir(folder)).toEqual([])
    },
  )

  it.runIf(isSandboxPossible)(
    "is started again if there was no process for it",
    verifies("metric.code-execution"),
    async () => {
      const sandbox = await openHarnessSandbox(OPTIONS)
      let starts = 0
      const busy = {
        ...sandbox,
        wrap: (run: Parameters<typeof sandbox.wrap>[0]) =>
          starts++ < 2 ? (["/bin/false"] as const) : sandbox.wrap(run),
      }
      const again = await openProgramRunner({ ...ports(), openSandbox: async () => busy }, signal)
      expect(starts).toBe(3)
      expect(await again({ source: "", timeLimitMs: 10_000 }, signal)).toEqual({ kind: "finished" })
    },
  )

  it("does not run without a sandbox, and the reason is said", verifies("metric.code-execution"), async () => {
    const refused = { code: "code_not_allowed", message: expect.stringContaining("run only in a sandbox") }
    await expect(openProgramRunner({ ...ports(), openSandbox: undefined }, signal)).rejects.toMatchObject(refused)
    const openSandbox = () => openHarnessSandbox({ ...OPTIONS, platform: "darwin" })
    const failing = openProgramRunner({ ...ports(), openSandbox }, signal)
    await expect(failing).rejects.toMatchObject({
      code: "code_not_allowed",
      message:
        "Programs of models run only in a sandbox, and there is none: the system is darwin, and sandboxes need Linux.",
    })
  })
})
