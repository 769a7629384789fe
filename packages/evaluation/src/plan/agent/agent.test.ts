import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { openHarnessSandbox, openProgramSandbox } from "@assay/harness"
import type { EvaluationConfigBody } from "@assay/schemas"
import { readEvaluationCells } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { startFakeInference, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { openRecording } from "../../recording/open-recording.ts"
import { createRunner } from "../../testing/create-runner.ts"
import { planOf } from "../../testing/plan-of.ts"
import { testEnvironment } from "../../testing/test-environment.ts"

/** Whether this machine supports namespaces, tested without any code of the package. */
const isSandboxPossible =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "/bin/true"]).status === 0 ||
  spawnSync("unshare", ["--map-root-user", "--mount", "--pid", "--net", "--fork", "/bin/true"]).status === 0

/** An agent whose task is a word that says what it does. */
const AGENT = `
import json, os, sys, time, urllib.request
asked = json.load(sys.stdin)
task = asked["task"]
if task == "crash": sys.exit("no lamps")
if task == "sleep": time.sleep(60)
if task == "json":
    call = {"id": "c", "type": "function", "function": {"name": "cancel", "arguments": "{\\"id\\": \\"A1\\"}"}}
    print(json.dumps({"output": "Gone.", "state": {"A1": "cancelled"}, "usage": {"prompt_tokens": 2, "completion_tokens": 3}, "messages": [
        {"role": "assistant", "content": None, "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c", "content": "{\\"ok\\": true}"}]}))
elif task == "link": os.symlink("/etc/passwd", "trajectory.json")
elif task == "atif":
    steps = [{"step_id": 1, "source": "user", "message": "atif"},
        {"step_id": 2, "source": "agent", "message": "I look.", "tool_calls": [{"tool_call_id": "1", "function_name": "get", "arguments": {"id": "A1"}}, {"tool_call_id": "2", "function_name": "cancel", "arguments": {}}],
         "observation": {"results": [{"source_call_id": "2", "content": [{"type": "text", "text": "no"}]}, {"source_call_id": "1", "content": "shipped"}]}, "metrics": {"prompt_tokens": 5, "completion_tokens": 1}},
        {"step_id": 3, "source": "agent", "message": "It is shipped.", "metrics": {"prompt_tokens": 6, "completion_tokens": 2}}]
    json.dump({"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, "steps": steps}, open("trajectory.json", "w"))
    print("a log")
elif task == "otlp":
    called = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c", "name": "cancel", "arguments": {"id": "A1"}}]}
    asked = [{"role": "user", "parts": [{"type": "text", "content": "otlp"}]}, called, {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "response": "gone"}]}]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "It is gone."}]}]
    span = {"traceId": "t", "spanId": "a", "startTimeUnixNano": "1763600000000000000", "attributes": [
        {"key": "gen_ai.input.messages", "value": {"stringValue": json.dumps(asked)}}, {"key": "gen_ai.output.messages", "value": {"stringValue": json.dumps(said)}},
        {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "7"}}, {"key": "gen_ai.usage.output_tokens", "value": {"intValue": "2"}}]}
    print("a log")
    print(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}))
elif task == "ask":
    body = json.dumps({"model": os.environ["ASSAY_TARGET_MODEL"], "messages": [{"role": "user", "content": "Hello"}]}).encode()
    request = urllib.request.Request(os.environ["ASSAY_TARGET_URL"] + "/chat/completions", body, {"content-type": "application/json", "authorization": "Bearer " + os.environ["ASSAY_TARGET_API_KEY"]})
    print(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])
elif task == "late":
    call = {"id": "c", "type": "function", "function": {"name": "cancel", "arguments": "{}"}}
    print(json.dumps({"messages": [{"role": "system", "content": "s"}, {"role": "assistant", "content": None, "tool_calls": [call]}, {"role": "user", "content": "Really?"}, {"role": "assistant", "content": "Gone."}]}))
else: print(asked["messages"][0]["content"], "|", task)
`

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "agents-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let ids = 0
  const own = { platform: "linux", uid: userInfo().uid, node: process.execPath, folders: [], hidden: [] }
  return async (yaml: string, { isReplayOnly = false } = {}) => {
    const before = ids
    const written = parseYaml(yaml, "eval.yaml")
    const [{ content }] = readEvaluationCells(written, new Map(), new Map([["agent.py", AGENT]]))
    const { target, config } = content as { target: Parameters<typeof planOf>[0]; config: EvaluationConfigBody }
    const environment = testEnvironment(undefined, {
      recording: openRecording(join(folder, "answers"), { isReplayOnly }),
      openProgramSandbox: () =>
        openProgramSandbox({
          workFolder: join(folder, "work"),
          newId: (prefix: string) => `${prefix}-${++ids}`,
          elapsed: () => performance.now(),
          inference: testEnvironment().inference,
          openSandbox: () => openHarnessSandbox(own),
        }),
    })
    const plan = await planOf(target, config, environment)
    onTestFinished(() => plan.close())
    const { lines } = await createRunner()(plan)
    const rows = lines.toSorted((a, b) => a.row_index - b.row_index)
    return { rows, started: (ids - before) / 2, folder }
  }
}

const PROGRAM = "agent: { command: [python3, agent.py], files: [agent.py], timeout: 60"
const rowsOf = (...tasks: readonly string[]) =>
  `data: [${tasks.map((task) => `{ t: ${task} }`).join(", ")}]\nprompt: "{{ t }}"\n`

describe.runIf(isSandboxPossible)("an agent that is a program", () => {
  it(
    "does the task of each row in the sandbox, and its transcript is scored as a conversation; a second run starts nothing",
    verifies("run.agent"),
    async () => {
      const run = await open()
      const file = `${PROGRAM}, transcript: json }\n${rowsOf("json", "crash", "talk", "late")}limits: { failed: 1 }\nchecks:\n  - calls: { exact: [cancel] }\n  - state: { path: A1, equals: cancelled }\n  - contains: Gone\n  - tokens\n`
      const first = await run(file)
      const [row, crashed, unreadable, late] = first.rows
      expect(row?.error).toBeNull()
      expect(row?.scores).toMatchObject({
        calls: { calls: 1 },
        state: { state: 1 },
        contains: { "string-check": 1 },
        tokens: { total_tokens: 5 },
      })
      expect(row?.sample?.messages?.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"])
      expect(row?.turns).toMatchObject([
        {
          user: "json",
          output_text: "Gone.",
          calls: [{ name: "cancel", arguments: { id: "A1" }, result: { ok: true } }],
        },
      ])
      expect(crashed?.error).toMatchObject({
        code: "harness_failed",
        message: expect.stringContaining("exit code 1: no lamps"),
      })
      expect(unreadable?.error).toMatchObject({
        code: "answer_unusable",
        message: expect.stringContaining("returned 'talk | talk', and its transcript is an object"),
      })
      // Its messages before the first one of a user are kept.
      expect(late?.turns).toMatchObject([
        { user: "late", calls: [{ name: "cancel" }] },
        { user: "Really?", calls: [] },
      ])
      expect(late?.scores?.["calls"]).toEqual({ calls: 1 })
      expect(readdirSync(join(first.folder, "work"))).toEqual([])
      // Failures are not recorded.
      const second = await run(file)
      expect([first.started, second.started]).toEqual([4, 2])
      expect(JSON.stringify(second.rows[0])).toBe(JSON.stringify(row))
      const [missing] = (await run(`${PROGRAM} }\n${rowsOf("new")}checks: [latency]`, { isReplayOnly: true })).rows
      expect(missing?.error?.code).toBe("recording_missing")
    },
  )

  it(
    "can return a trajectory in a file, asks the model of the file, and has no answer after its time",
    verifies("run.agent"),
    async () => {
      const run = await open()
      const checks = "limits: { failed: 1 }\nchecks: [ calls: { in_order: [get, cancel] }, tokens ]\n"
      const atif = await run(
        `${PROGRAM}, transcript: atif, result: trajectory.json }\n${rowsOf("atif", "link", "talk")}${checks}`,
      )
      const [read, linked, absent] = atif.rows
      expect(read?.turns).toMatchObject([
        {
          user: "atif",
          output_text: "It is shipped.",
          calls: [
            { name: "get", result: "shipped" },
            { name: "cancel", result: "no" },
          ],
        },
      ])
      expect(read?.scores).toMatchObject({ calls: { calls: 1 }, tokens: { total_tokens: 14 } })
      expect(linked?.error?.message).toContain("'trajectory.json' is a link")
      expect(absent?.error?.message).toContain("wrote no 'trajectory.json'")
      const otlp = await run(`${PROGRAM}, transcript: otlp }\n${rowsOf("otlp", "talk")}${checks.replace("get, ", "")}`)
      expect(otlp.rows[0]?.turns).toMatchObject([
        {
          user: "otlp",
          output_text: "It is gone.",
          calls: [{ name: "cancel", arguments: { id: "A1" }, result: "gone" }],
        },
      ])
      expect(otlp.rows[0]?.scores).toMatchObject({ calls: { calls: 1 }, tokens: { total_tokens: 9 } })
      expect(otlp.rows[1]?.error?.message).toContain("returned no trace in OTLP JSON: its output has no spans")
      const server = await startFakeInference()
      onTestFinished(() => server.close())
      const prompt = 'data: [{ t: ask }]\nprompt: { system: Be brief., user: "{{ t }}" }\nchecks: [latency]\n'
      const asked = await run(`model: ${server.url}/v1#echo\n${PROGRAM} }\n${prompt}`)
      expect(asked.rows[0]?.sample?.output_text).toBe("Hello")
      const plain = await run(`${PROGRAM} }\n${prompt.replace("t: ask", "t: say")}`)
      expect(plain.rows[0]?.sample?.output_text).toBe("Be brief. | say")
      const sleeping = `${PROGRAM.replace("timeout: 60", "timeout: 0.5")} }\n${rowsOf("sleep")}checks: [ contains: x ]\n`
      const slow = await run(sleeping)
      expect(slow.rows[0]).toMatchObject({
        error: null,
        sample: { output_text: null, end: "limit_time" },
        scores: { contains: { "string-check": 0 } },
      })
      const replayed = await run(sleeping, { isReplayOnly: true })
      expect([replayed.started, JSON.stringify(replayed.rows)]).toEqual([0, JSON.stringify(slow.rows)])
      expect((await run(sleeping)).started).toBe(1)
    },
  )
})

describe("an agent that is an endpoint", () => {
  it("gets a whole task with one request, and its answer is scored and recorded", verifies("run.agent"), async () => {
    const bodies: unknown[] = []
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const body: unknown = JSON.parse(await text(request))
      bodies.push([request.method, request.url, body])
      const isBad = JSON.stringify(body).includes("bad")
      response.end(
        isBad ? '{"answer": 1}' : JSON.stringify({ messages: [{ role: "assistant", content: "It is gone." }] }),
      )
    }
    const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === "object" ? address?.port : 0
    const run = await open()
    const file = `agent: { url: "http://127.0.0.1:${port}/run?a=1" }\n${rowsOf("cancel", "bad")}limits: { failed: 1 }\nchecks: [ contains: gone ]\n`
    const { rows } = await run(file)
    expect(rows[0]).toMatchObject({
      sample: { output_text: "It is gone.", end: "turns" },
      scores: { contains: { "string-check": 1 } },
    })
    expect(rows[1]?.error?.message).toContain(`returned '{"answer":1}', and its transcript is an object with "output"`)
    expect(bodies[0]).toEqual(["POST", "/run?a=1", { task: "cancel", messages: [{ role: "user", content: "cancel" }] }])
    const again = await run(file.replace(", { t: bad }", ""))
    expect([bodies.length, JSON.stringify(again.rows[0])]).toEqual([2, JSON.stringify(rows[0])])
  })
})
