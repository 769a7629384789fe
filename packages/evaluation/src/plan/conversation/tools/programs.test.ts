import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { openHarnessSandbox, openProgramSandbox } from "@assay/harness"
import type { EvaluationConfigBody, EvaluationRow } from "@assay/schemas"
import { readEvaluationCells } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { type FakeModel, startFakeInference, verifies } from "@assay/testkit"
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { createRunner } from "../../../testing/create-runner.ts"
import { planOf } from "../../../testing/plan-of.ts"
import { testEnvironment } from "../../../testing/test-environment.ts"
import { openRecording } from "../../../recording/open-recording.ts"

/** Whether this machine supports namespaces, tested without any code of the package. */
const isSandboxPossible =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "/bin/true"]).status === 0 ||
  spawnSync("unshare", ["--map-root-user", "--mount", "--pid", "--net", "--fork", "/bin/true"]).status === 0

let sandbox: Awaited<ReturnType<typeof openHarnessSandbox>>
beforeAll(async () => {
  if (!isSandboxPossible) return
  const own = { platform: "linux", uid: userInfo().uid, node: process.execPath, folders: [], hidden: [] }
  // Tests of other packages can use up the processes of the user that sandboxes run as, for a moment.
  sandbox = await vi.waitFor(() => openHarnessSandbox(own), { timeout: 30_000, interval: 500 })
})

/** A tool whose behaviour the argument `do` chooses. It says which variables it has. */
const SCRIPT = `
import json, os, sys, time
from lib.words import GONE
call = json.load(sys.stdin)
do = call["arguments"].get("do")
if do == "crash": raise ValueError("no such lamp")
if do == "trace": sys.exit("TypeError: no shop\\n    at shop.js:1\\n\\nNode.js v24")
if do == "sleep": time.sleep(60)
if do == "talk": print("hello")
elif do == "flood":
    while True: print("x" * 65536)
elif do == "network":
    import socket
    socket.create_connection(("127.0.0.1", 1))
elif do == "big": print(json.dumps({"result": "y" * 2_000_000}))
elif do == "error": print(json.dumps({"error": "sold out"}))
elif do == "vars": print(json.dumps({"result": [os.environ.get("SHOP"), [n for n in os.environ if "ASSAY" in n or "KEY" in n]]}))
else: print(json.dumps({"result": [call["name"], call["state"]["n"]], "set": {"n": call["state"]["n"] + 1, "was": GONE}}))
`

/** A server of tools that counts its calls. */
const SERVER = `
import json, sys, os
calls = 0
def tool(name, **more): return {"name": name, "description": "Does " + name, "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}, **more}
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask: continue
    method, params = ask["method"], ask.get("params", {})
    if method == "initialize": result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    elif method == "tools/list": result = {"tools": [tool("count"), tool("crash")]}
    elif method == "tools/call":
        calls += 1
        if params["name"] == "crash":
            print("a log line that is not JSON", flush=True)
            sys.stderr.write("out of lamps\\n"); sys.stderr.flush()
            os._exit(3)
        if params["arguments"]["id"] == "deep": print('{"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":{"a":%s}}}' % (ask["id"], "[" * 9999 + "]" * 9999), flush=True); continue
        if params["arguments"]["id"] == "bad": result = {"isError": True, "content": [{"type": "text", "text": "bad id"}]}
        else: result = {"content": [{"type": "text", "text": str(calls)}]}
    else:
        print(json.dumps({"jsonrpc": "2.0", "id": ask["id"], "error": {"code": -32601, "message": "no"}}), flush=True); continue
    print(json.dumps({"jsonrpc": "2.0", "id": ask["id"], "result": result}), flush=True)
`

/** Calls the tools that the last message of the user names: \`lamp {"do": "crash"}; …\`. Then says what they returned. */
const agent: FakeModel = ({ messages }) => {
  const at = messages.findLastIndex(({ role }) => role === "user")
  const said = messages.slice(at + 1).filter(({ role }) => role === "tool")
  if (said.length > 0) return { content: said.map(({ content }) => String(content).slice(0, 500)).join(" | ") }
  const calls = String(messages[at]?.content).split("; ")
  const toolCalls = calls.map((call, index) => {
    const [name = "", args = "{}"] = call.split(/ (.*)/)
    return { id: `c${at}-${index}`, type: "function", function: { name, arguments: args } }
  })
  return { content: null, toolCalls, finish_reason: "tool_calls" }
}

const FILES = new Map([
  ["t.py", SCRIPT],
  ["./lib/words.py", 'GONE = "ü gone"'],
  ["server.py", SERVER],
])

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "tools-"))
  const server = await startFakeInference({
    models: {
      agent,
      clock: ({ messages }) => ({
        content: `\`\`\`json\n{"result": {"messages": ${messages.length}}, "set": {"n": 7}}\n\`\`\``,
      }),
    },
  })
  onTestFinished(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  let opened = 0
  let ids = 0
  const settings = {
    workFolder: join(folder, "work"),
    newId: (prefix: string) => `${prefix}-${++ids}`,
    elapsed: () => performance.now(),
    inference: testEnvironment().inference,
  }
  const hold = async (yaml: string, { isReplayOnly = false } = {}) => {
    const [requests, programs] = [server.requests.length, ids]
    const head = `model: "${server.url}/v1#agent"\ndata: [{ q: a }]\nchecks: [ calls: { any_order: [] } ]\nstate: { n: 1 }\n`
    const written = parseYaml((head + yaml).replaceAll("URL", `${server.url}/v1`), "eval.yaml")
    const [{ content }] = readEvaluationCells(written, new Map(), FILES)
    const { target, config } = content as { target: Parameters<typeof planOf>[0]; config: EvaluationConfigBody }
    const environment = testEnvironment(undefined, {
      recording: openRecording(join(folder, "answers"), { isReplayOnly }),
      openProgramSandbox: () => {
        opened += 1
        return openProgramSandbox({ ...settings, openSandbox: async () => sandbox })
      },
    })
    const plan = await planOf(target, config, environment)
    const { lines } = await createRunner()(plan)
    await plan.close()
    const row = lines.at(-1) as EvaluationRow
    return {
      row,
      texts: row.turns?.map((turn) => turn.output_text),
      asked: server.requests.length - requests,
      started: (ids - programs) / 2,
    }
  }
  return { hold, folder, opened: () => opened, server }
}

const LAMP =
  "tools: [ { name: lamp, script: [python3, t.py], files: [t.py, ./lib/words.py], environment: { SHOP: Lamps }, timeout: 5 } ]"
const COUNTER = "tools: [ { mcp: { command: [python3, server.py], files: [server.py] } } ]"
const turns = (...said: readonly string[]) => `turns:\n${said.map((user) => `  - user: '${user}'\n`).join("")}`

describe.runIf(isSandboxPossible)("a tool that is a program", () => {
  it(
    "answers in the sandbox, changes the state, and is counted when it fails; a second run starts only what failed",
    verifies("run.tool-programs"),
    async () => {
      const { hold, folder } = await open()
      const file = `${LAMP}\n${turns(
        "lamp; lamp {}",
        'lamp {"do": "error"}; lamp {"do": "vars"}',
        'lamp {"do": "crash"}; lamp {"do": "talk"}; lamp {"do": "flood"}; lamp {"do": "network"}',
        'lamp {"do": "big"}; lamp [1]; lump {}',
      )}`
      const first = await hold(file)
      expect(first.row.error).toBeNull()
      const [plain, told, failed] = first.texts ?? []
      expect(plain).toBe('["lamp",1] | ["lamp",2]')
      expect(told).toBe('{"error":"sold out"} | ["Lamps",[]]')
      expect(failed).toMatch(/exit code 1: ValueError: no such lamp/)
      expect(failed).toMatch(/it wrote no JSON, but 'hello'/)
      expect(failed).toMatch(/it wrote more than 8 MiB/)
      expect(failed).toMatch(/exit code 1: (?:OSError|ConnectionRefusedError)/)
      const { calls = [] } = first.row.turns?.[3] ?? {}
      expect(String(calls[0]?.result)).toHaveLength(2 ** 20)
      expect(first.row.sample).toMatchObject({
        state: { n: 3, was: "ü gone" },
        malformed_calls: 1,
        unknown_tools: 1,
        failed_tools: 4,
      })
      expect(readdirSync(join(folder, "work"))).toEqual([])
      expect(first.started).toBe(9)
      const second = await hold(file)
      // The crash, the flood and the network: a failure may be gone, so only a replay uses it.
      expect([second.asked, second.started]).toEqual([0, 3])
      expect(JSON.stringify(second.row)).toBe(JSON.stringify(first.row))
      const replayed = await hold(file, { isReplayOnly: true })
      expect([JSON.stringify(replayed.row), replayed.started]).toEqual([JSON.stringify(first.row), 0])
      const missing = await hold(`${LAMP}\n${turns('lamp {"do": "new"}')}`, { isReplayOnly: true })
      expect(missing.row.error).toMatchObject({ code: "recording_missing" })
    },
  )

  it("is ended after its time", verifies("run.tool-programs"), async () => {
    const { hold } = await open()
    const { texts } = await hold(
      `${LAMP.replace("timeout: 5", "timeout: 0.5")}\n${turns('lamp {"do": "sleep"}; lamp {"do": "trace"}')}`,
    )
    expect(texts?.[0]).toMatch(/did not end within 0\.5 s.* \| .*exit code 1: TypeError: no shop\./)
  })

  it(
    "can be a server, which lives as long as its conversation and gets earlier calls again",
    verifies("run.tool-programs"),
    async () => {
      const { hold, folder, server } = await open()
      const first = await hold(
        `${COUNTER}\n${turns('count {"id": "a"}; count {"id": "b"}', 'count {"id": "bad"}; count {}')}`,
      )
      expect(first.texts).toEqual(["1 | 2", expect.stringMatching(/"bad id".*do not satisfy the schema/)])
      const told = server.requests[0]?.chat?.["tools"] as readonly { readonly function: object }[]
      expect(told.map((one) => one.function)).toMatchObject([
        { name: "count", description: "Does count" },
        { name: "crash" },
      ])
      // Once for its list, and once for the conversation.
      expect(first.started).toBe(2)
      const longer = await hold(
        `${COUNTER}\n${turns('count {"id": "a"}; count {"id": "b"}', 'count {"id": "c"}; crash {"id": "c"}; count {"id": "d"}')}`,
      )
      expect(longer.texts?.[1]).toMatch(
        /^3 \| .*The tool failed: it ended with exit code 3: out of lamps.* \| .*failed/,
      )
      expect(longer.row.sample).toMatchObject({ failed_tools: 2 })
      expect([longer.asked, longer.started]).toEqual([2, 1])
      const again = await hold(
        `${COUNTER}\n${turns('count {"id": "a"}; count {"id": "b"}', 'count {"id": "c"}; crash {"id": "c"}; count {"id": "d"}')}`,
      )
      expect([again.asked, again.started, again.texts]).toEqual([0, 1, longer.texts])
      expect(readdirSync(join(folder, "work"))).toEqual([])
      const deep = await hold(`${COUNTER}\n${turns('count {"id": "deep"}')}`)
      expect(deep.texts?.[0]).toContain("it wrote a message that is too deep")
      const odd = COUNTER.replace("{ mcp:", '{ name: count, parameters: { $ref: "#/nowhere" }, mcp:')
      const { error } = (await hold(`${odd}\n${turns('count {"id": "a"}')}`)).row
      expect(error?.message).toMatch(
        /^The parameters of the tool 'count' are not a schema .*#\/nowhere.*; correct the tool\.$/,
      )
      const named = "tools: [ { name: NAME, mcp: { command: [python3, server.py], files: [server.py] } } ]"
      const one = await hold(`${named.replace("NAME", "count")}\n${turns('count {"id": "a"}; crash {}')}`)
      expect(one.texts?.[0]).toMatch(/^1 \| .*no tool 'crash'/)
      await expect(hold(`${named.replace("NAME", "cost")}\n${turns("x")}`)).rejects.toMatchObject({
        message: expect.stringContaining("has no tool 'cost'; it offers count, crash"),
      })
      await expect(hold(`tools: [ { mcp: { command: [python3, missing.py] } } ]\n${turns("x")}`)).rejects.toMatchObject(
        {
          code: "harness_failed",
          message: expect.stringMatching(/did not get ready: it ended with exit code 2: .*missing\.py/),
        },
      )
    },
  )
})

describe("a tool without a program of its own", () => {
  it("can be played by a model, whose requests are recorded", verifies("run.tool-programs"), async () => {
    const { hold, server } = await open()
    const file = `tools: [ { name: now, description: The time., model: "URL#clock" } ]\n${turns("now {}")}`
    const first = await hold(file)
    expect([first.texts, first.row.sample?.state, first.asked]).toEqual([['{"messages":2}'], { n: 7 }, 3])
    const asked = JSON.stringify(server.requests.map(({ chat }) => chat?.messages))
    expect(asked).toContain("What it does: The time.")
    expect((await hold(file)).asked).toBe(0)
  })

  it("is refused without a sandbox, with the reason", verifies("run.tool-programs"), async () => {
    const refused = openProgramSandbox({
      openSandbox: undefined,
      workFolder: "/nowhere",
      newId: String,
      elapsed: () => 0,
      inference: testEnvironment().inference,
    })
    await expect(refused).rejects.toMatchObject({
      code: "code_not_allowed",
      message: expect.stringContaining("run only in a sandbox, and there is none: this process was given none."),
    })
  })
})
