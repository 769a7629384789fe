import { spawn, spawnSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync, existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type FakeInference, startFakeInference, startFakeObjstore } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { runCommand, type RunOptions } from "../../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

const MAIN = fileURLToPath(new URL("../../../main.ts", import.meta.url))
const PROGRAM = [process.execPath, "--conditions=source", MAIN]
const PARALLEL = ["/usr/bin/parallel", "/usr/local/bin/parallel"].find((path) => existsSync(path))

let model: FakeInference
let folder: TemporaryFolder
beforeAll(async () => {
  model = await startFakeInference()
})
afterAll(() => model.close())
beforeEach(() => {
  folder = makeTemporaryFolder()
  model.faults.clear()
  const lines = Array.from({ length: 12 }, (_, row) => `word ${row},${row % 3 === 0 ? "other" : `word ${row}`}`)
  folder.write("rows.csv", ["said,label", ...lines, ""].join("\n"))
  folder.write(
    "eval.yaml",
    `name: words
model: {url: "${model.url}/v1", model: echo}
data: rows.csv
prompt: "{{ said }}"
checks: [{exact-match: "{{ label }}"}]
`,
  )
  return () => folder[Symbol.dispose]()
})

const assay = (words: readonly string[], options: RunOptions = {}) => {
  const { PATH = "" } = process.env
  return runCommand(["eval", ...words], {
    cwd: folder.path,
    env: { PATH },
    program: PROGRAM,
    // Runs of tests end sooner than the usual pause between two looks.
    sleep: (milliseconds, signal) => sleep(Math.min(milliseconds, 100), undefined, { signal }),
    ...options,
  })
}
const run = (words: readonly string[], options: RunOptions = {}) =>
  assay(["run", "eval.yaml", "--skip-checks", ...words], options)
const read = (path: string) => readFileSync(join(folder.path, path), "utf8")
const list = (path: string) => readdirSync(join(folder.path, path)).toSorted()
const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>

/** Returns the rows of a run without what differs between two requests of the same prompt. */
function rowsOf(path: string): readonly string[] {
  const rows = read(join(path, "results/rows.jsonl")).trim().split("\n")
  return rows.map((row) =>
    JSON.stringify(JSON.parse(row), (key, value: unknown) => (/^id$|latency_ms/.test(key) ? undefined : value)),
  )
}

/** Returns what was printed without times and folders. */
const printed = (text: string) => text.replaceAll(/ in [\d.]+ m?s/g, "").replaceAll(/report: .*/g, "")

/** Returns the processes of this machine that name a text. */
function processesOf(text: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text)
    } catch {
      return false
    }
  })
}

describe("assay eval run on an engine", () => {
  it("gives on processes of this machine what one process gives, and prints the same", async () => {
    const one = await run(["--out", "one"])
    const cut = await run(["--out", "a b'c$(x)", "--executor", "local", "--shards", "3", "--at-once", "2"])
    expect([cut.exitCode, cut.stderr]).toEqual([0, ""])
    expect(printed(cut.stdout)).toBe(printed(one.stdout))
    expect(cut.stdout).toContain("report: ./a b'c$(x)/results/report.html\n")
    expect(rowsOf("a b'c$(x)")).toEqual(rowsOf("one"))
    expect(read("a b'c$(x)/results/metrics.csv")).toBe(read("one/results/metrics.csv"))
    expect(list("a b'c$(x)/logs")).toEqual(["00000-1.log", "00001-1.log", "00002-1.log"])
    const logs = await assay(["logs", "./a b'c$(x)", "--shard", "1"])
    expect(logs.stdout).toBe("==> 00001-1.log <==\nshard 1: 4 rows\n")
    const status = json((await assay(["status", "./a b'c$(x)", "--json"])).stdout)
    expect(status).toMatchObject({ status: "COMPLETED", samples_processed: 12, shards: { total: 3, done: 3 } })
    const compared = await run(["--out", "two", "--executor", "local", "--shards", "2", "--against", "./one"])
    expect(compared.stdout).toContain("words: COMPLETED, 12 rows")
    expect([0, 3]).toContain(compared.exitCode)
    const absent = await assay(["logs", "./a b'c$(x)", "--shard", "3"])
    expect([absent.exitCode, absent.stderr.split("\n")[0]]).toEqual([
      2,
      "error: There is no shard 3. The run has 3 shards: 0 to 2.",
    ])
    const ended = await assay(["cancel", "./a b'c$(x)"])
    expect(ended.exitCode).toBe(2)
    expect(ended.stderr).toContain("has ended (COMPLETED): nothing was cancelled.")
    expect(existsSync(join(folder.path, "a b'c$(x)/submissions/00001-cancelled.json"))).toBe(false)
  }, 60_000)

  it("fails with the shard and its failure after the retries, and continues with the rows that are missing", async () => {
    model.faults.add({ fault: { kind: "answer", status: 401, body: { error: { message: "no" } } } })
    const failed = await run(["--out", "out", "--executor", "local", "--shards", "1", "--retries", "0"])
    expect(failed.exitCode).toBe(1)
    expect(failed.stdout).toMatch(/^words: FAILED with 1 condition open/)
    expect(failed.stdout).toContain("Shard 0 failed because: ")
    expect(failed.stdout).toContain("inference_unauthorized")
    expect(failed.stdout).toContain("assay eval resume ./out")
    expect(failed.stdout).not.toContain("report:")
    expect(failed.stderr).toContain("`assay eval logs ./out --shard 0`")
    expect((await assay(["status", "./out"])).stdout).toMatch(/^.\/out: FAILED/)
    model.faults.clear()
    const again = await run(["--out", "out", "--executor", "local"])
    expect(again.stderr).toBe("continuing ./out; only shards without rows are submitted\n")
    expect(again.exitCode).toBe(0)
    expect(again.stdout).toMatch(/^words: COMPLETED, 12 rows/)
  }, 60_000)

  it("ends all processes with Ctrl-C, keeps the answers, and continues with resume", async () => {
    // Shard 1 never gets its answers.
    model.faults.add({
      when: ({ chat }) => /word (8|9|10|11)$/.test(String(chat?.messages[0]?.content)),
      fault: { kind: "hang" },
    })
    const abort = new AbortController()
    const running = run(["--out", "out", "--executor", "local", "--shards", "3", "--at-once", "3"], {
      signal: abort.signal,
    })
    await vi.waitFor(() => expect(list("out/done")).toEqual(["00000.json", "00001.json"]), {
      timeout: 30_000,
      interval: 100,
    })
    expect(processesOf(join(folder.path, "out")).length).toBeGreaterThan(0)
    abort.abort()
    const { exitCode, stderr } = await running
    expect(exitCode).toBe(130)
    expect(stderr).toMatch(/8 of 12 rows are answered and kept in \.\/out\. Cancelled: process \d+ of /)
    expect(stderr).toContain("`assay eval resume ./out`, or the same command again, continues.")
    expect(processesOf(join(folder.path, "out"))).toEqual([])
    expect((await assay(["status", "./out"])).stdout).toMatch(
      /^.\/out: CANCELLED, 8 of 12 rows\n2 of 3 shards done, 0 running, 1 waiting\n/,
    )
    const watched = await assay(["watch", "./out"])
    expect(watched.stderr).toContain("The run ./out was cancelled: `assay eval resume ./out` continues it.")
    model.faults.clear()
    const before = model.requests.length
    const resumed = await assay(["resume", "./out"])
    expect(resumed.exitCode).toBe(0)
    expect(resumed.stdout).toMatch(/^words: COMPLETED, 12 rows/)
    expect(model.requests.length - before).toBe(4)
  }, 60_000)

  it("submits, prints how to follow, and returns with --detach; cancel ends the processes", async () => {
    model.faults.add({ fault: { kind: "hang" } })
    const words = ["--out", "out", "--executor", "local", "--shards", "2", "--detach"]
    const { exitCode, stdout } = await run(words)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^2 shards of \.\/out submitted to local \(process \d+, which writes to \.\/out\/logs\/follower\.log\)\n\nassay eval watch \.\/out\n/,
    )
    await vi.waitFor(() => expect(list("out/progress")).toHaveLength(2), { timeout: 30_000, interval: 100 })
    expect((await assay(["status", "./out"])).stdout).toMatch(/^\.\/out: RUNNING, 0 of 12 rows/)
    const { submissions } = json((await assay(["status", "./out", "--json"])).stdout)
    expect(submissions).toMatchObject([{ ids: [expect.stringMatching(/^process \d+ of /)] }])
    // A command that follows a detached run only stops following.
    const abort = new AbortController()
    const { exitCode: secondCode, stderr } = await run(["--out", "out", "--executor", "local"], {
      signal: abort.signal,
      sleep: async () => abort.abort(), // After its first look.
    })
    expect(secondCode).toBe(130)
    expect(stderr).toContain("`assay eval watch ./out` follows them, and `assay eval cancel ./out` ends them.")
    expect((await assay(["status", "./out"])).stdout).toMatch(/RUNNING[^]*\n {2}submission 2: .* \(process \d+ of /)
    const cancelled = await assay(["cancel", "./out"])
    expect(cancelled.stdout).toMatch(/^\.\/out: CANCELLED \(process \d+ of /)
    await vi.waitFor(() => expect(processesOf(join(folder.path, "out"))).toEqual([]), { timeout: 10_000 })
    expect((await assay(["status", "./out"])).stdout).toMatch(/^\.\/out: CANCELLED/)
  }, 60_000)

  it("says with --detach that the process that would follow was not started", async () => {
    const words = ["--out", "out", "--executor", "local", "--shards", "2", "--detach"]
    const { exitCode, stderr } = await run(words, { program: ["/no/such/program"] })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("was not started: spawn /no/such/program ENOENT")])
  })

  it("leaves no process behind if it is killed itself, and continues when it is run again", async () => {
    model.faults.add({ fault: { kind: "hang" } })
    const out = join(folder.path, "out")
    const [program = "", ...args] = PROGRAM
    const words = ["eval", "run", "eval.yaml", "--skip-checks", "--out", "out", "--executor", "local", "--shards", "2"]
    const child = spawn(program, [...args, ...words], { cwd: folder.path, env: { PATH: process.env["PATH"] } })
    await vi.waitFor(() => expect(list("out/progress")).toHaveLength(2), { timeout: 30_000, interval: 100 })
    child.kill("SIGKILL")
    await vi.waitFor(() => expect(processesOf(out)).toEqual([]), { timeout: 10_000 })
    expect((await assay(["status", "./out"])).stdout).toMatch(/^\.\/out: INTERRUPTED/)
    model.faults.clear()
    const watched = await assay(["watch", "./out"])
    expect(watched.stderr).toBe("2 shards were interrupted, and are submitted again.\n")
    expect(watched.stdout).toMatch(/^words: COMPLETED, 12 rows/)
  }, 60_000)

  it("runs several prompts on an engine one after the other, and compares each with the first", async () => {
    const prompt = `prompt: "{{ said }}"`
    folder.write("eval.yaml", read("eval.yaml").replace(prompt, `prompts: ["{{ said }}", "{{ said }} "]`))
    const { exitCode, stdout, stderr } = await run(["--out", "out", "--executor", "local", "--shards", "2"])
    expect(stderr).not.toContain("error")
    expect([0, 1, 3]).toContain(exitCode)
    expect(stdout.match(/COMPLETED, 12 rows/g)).toHaveLength(2)
  }, 60_000)

  it("renders several prompts as texts after each other, without a table of their scores", async () => {
    const prompt = `prompt: "{{ said }}"`
    folder.write("eval.yaml", read("eval.yaml").replace(prompt, `prompts: ["{{ said }}", "{{ said }} "]`))
    const volumes = `[{claim: runs, path: '${folder.path}'}]`
    folder.write("executors.yaml", `profiles:\n  pods: {executor: kubernetes, image: 'assay:1', volumes: ${volumes}}\n`)
    const { exitCode, stdout, stderr } = await run(["--out", "out", "--profile", "pods", "--shards", "2", "--render"])
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("nothing was submitted")])
    expect(stdout).not.toContain("JOB")
    const documents = stdout.split(/^---\n/m).slice(1)
    expect(documents.map((one) => one.match(/^kind:/gm)?.length)).toEqual([1, 1])
  })

  it("refuses options about the end of a run that it does not wait for, and writes the summary of a refusal", async () => {
    const words = ["--out", "out", "--executor", "local", "--shards", "2"]
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [["--detach", "--junit", "x.xml"], "--junit is about the end of a run, for which --detach does not wait"],
      [["--render", "--against", "./one"], "--against is about the end of a run, for which --render does not wait"],
      [["--render", "--json"], "--render prints a text"],
      [["--watch"], "--watch runs in this process"],
    ]
    for (const [more, message] of refusals) {
      const { exitCode, stdout, stderr } = await run([...words, ...more])
      expect([exitCode, stdout + stderr]).toEqual([2, expect.stringContaining(message)])
    }
    const refused = await run([...words.slice(0, 2), "--executor", "locla", "--summary", "summary.md"])
    expect(refused.exitCode).toBe(2)
    expect(read("summary.md")).toContain("There is no executor 'locla'")
    expect(existsSync(join(folder.path, "out"))).toBe(false)
  })

  it("refuses a comparison with a run in a bucket before it runs", async () => {
    await run(["--out", "one"])
    const before = model.requests.length
    folder.write("eval.yaml", `${read("eval.yaml")}results: s3://bucket/run\n`)
    const { exitCode, stderr } = await run(["--executor", "local", "--shards", "2", "--against", "./one"])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("the run is in a bucket")])
    const alone = await run([])
    expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringContaining("add --executor local")])
    expect(model.requests.length).toBe(before)
  })

  it("prints with --render what would be submitted, and submits nothing", async () => {
    const { exitCode, stdout, stderr } = await run(["--out", "out", "--executor", "local", "--shards", "2", "--render"])
    expect([exitCode, stderr]).toEqual([0, "the job is cut into ./out, and nothing was submitted\n"])
    const shellWords = stdout.split("\n").map((line) => String(spawnSync("sh", ["-c", `printf '%s|' ${line}`]).stdout))
    expect(shellWords).toContain(`${PROGRAM.join("|")}|eval|shard|${join(folder.path, "out")}|--index|1|`)
    expect(shellWords).toContain(`${PROGRAM.join("|")}|eval|merge|${join(folder.path, "out")}|`)
    expect(existsSync(join(folder.path, "out/submissions"))).toBe(false)
    expect(model.requests.filter(({ chat }) => chat !== undefined)).toHaveLength(model.requests.length)
  })

  it("refuses a location with the run of another job, and rows that have changed", async () => {
    await run(["--out", "out", "--executor", "local", "--shards", "2", "--render"])
    writeFileSync(join(folder.path, "rows.csv"), "said,label\nx,x\n")
    const { exitCode, stderr } = await run(["--out", "out", "--executor", "local"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("has the run of another job, or its rows have changed since")
  })

  it("continues the unfinished run of the same job in the data folder, unless --fresh is given", async () => {
    const words = ["--executor", "local", "--shards", "1"]
    await run([...words, "--render"])
    const again = await run(words)
    expect(again.stderr).toMatch(/^continuing \.\/\.assay-eval\/words-/)
    expect(again.exitCode).toBe(0)
    const fresh = await run([...words, "--render"])
    expect(fresh.stderr).toMatch(/^the job is cut into/)
    expect(list(".assay-eval").filter((name) => name !== ".gitignore")).toHaveLength(2)
  }, 60_000)

  it.skipIf(PARALLEL === undefined)(
    "runs all shards by one command of a profile, such as GNU parallel",
    async () => {
      folder.write(
        "engines.yaml",
        `profiles:
  parallel:
    executor: command
    at_once: 2
    command: "${PARALLEL} -q -j {at_once} {program} eval shard {run} --index {} {options} ::: {indexes}"
`,
      )
      const env = { PATH: process.env["PATH"] ?? "", ASSAY_EXECUTORS: "engines.yaml", HOME: folder.path }
      const { exitCode, stdout, stderr } = await run(["--profile", "parallel", "--shards", "2", "--out", "a b'c$(x)"], {
        env,
      })
      expect([exitCode, stderr]).toEqual([0, ""])
      expect(stdout).toMatch(/^words: COMPLETED, 12 rows/)
      expect(list("a b'c$(x)/logs")).toEqual(["all-1.log"])
    },
    60_000,
  )

  it("runs one command for each shard that returns at once, and follows by the files of the run", async () => {
    folder.write(
      "executors.yaml",
      `profiles:
  batch:
    executor: command
    waits: false
    command: [sh, -c, 'setsid --fork "$@"; echo job-7; echo message >&2', sh, "{program}", eval, shard, "{run}", --index, "{index}"]
    cancel: touch {id}
`,
    )
    const { exitCode, stdout } = await run(["--profile", "batch", "--shards", "2", "--out", "out"])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^words: COMPLETED, 12 rows/)
    const given = json(read("out/submissions/00001-given.json"))
    expect(given).toMatchObject({ indexes: [0, 1], ids: ["job-7", "job-7"] })
  }, 60_000)

  it("shares a bucket with its processes", async () => {
    const store = await startFakeObjstore()
    onTestFinished(() => store.close())
    const credentials = { AWS_ACCESS_KEY_ID: store.accessKeyId, AWS_SECRET_ACCESS_KEY: store.secretAccessKey }
    const aws = { AWS_ENDPOINT_URL: store.endpoint, AWS_REGION: store.region, ...credentials }
    // The client of AWS reads those of this process.
    for (const [name, value] of Object.entries(aws)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const env = { PATH: process.env["PATH"] ?? "", ...aws }
    const run3 = `s3://${store.bucket}/runs/one`
    const { exitCode, stdout, stderr } = await run(["--executor", "local", "--shards", "2", "--out", run3], { env })
    expect([exitCode, stderr]).toEqual([0, ""])
    expect(stdout).toContain(`report: ${run3}/results/report.html`)
    const status = json((await assay(["status", run3, "--json"], { env })).stdout)
    expect(status).toMatchObject({ run: run3, status: "COMPLETED", shards: { done: 2 } })
    const watched = await assay(["watch", run3], { env })
    expect(printed(watched.stdout)).toBe(printed(stdout))
    expect((await assay(["logs", run3, "--shard", "0"], { env })).stdout).toContain("shard 0: 6 rows\n")
    // Results in a bucket are not compared.
    const prompt = `prompt: "{{ said }}"`
    folder.write("eval.yaml", read("eval.yaml").replace(prompt, `prompts: ["{{ said }}", "{{ said }} "]`))
    const two = await run(["--executor", "local", "--shards", "1", "--out", `s3://${store.bucket}/two`], { env })
    expect(two.stdout.match(/COMPLETED, 12 rows/g)).toHaveLength(2)
  }, 60_000)

  it("names the commands for hand-run shards if no engine was asked, and shows RUNNING while one counts", async () => {
    model.faults.add({
      when: ({ chat }) => /word (8|9|10|11)$/.test(String(chat?.messages[0]?.content)),
      fault: { kind: "hang" },
    })
    await assay(["cut", "eval.yaml", "--skip-checks", "--shards", "3", "--out", "a b"])
    const next =
      "`assay eval shard './a b' --index N` runs a shard, and `assay eval merge './a b'` computes the results"
    const before = (await assay(["status", "./a b"])).stdout
    expect(before).toMatch(/^\.\/a b: PENDING/)
    expect(before).toContain(next)
    const abort = new AbortController()
    const shard = assay(["shard", "./a b", "--index", "2"], { signal: abort.signal })
    await vi.waitFor(() => expect(list("a b/progress")).toHaveLength(1), { timeout: 30_000, interval: 100 })
    const during = (await assay(["status", "./a b"])).stdout
    expect(during).toMatch(/^\.\/a b: RUNNING/)
    expect(during).toContain(next)
    abort.abort()
    await shard
    const refused = await assay(["cancel", "./a b"])
    expect(refused.stderr).toContain(`assay eval shard '${join(folder.path, "a b")}' --index N`)
  }, 60_000)

  it("passes hosts for keys of the environment to shards, and says what other machines may not reach", async () => {
    const env = { PATH: process.env["PATH"] ?? "", ASSAY_KEY_HOSTS: "a.example, b.example", HOME: folder.path }
    const words = ["--executor", "slurm", "--shards", "2", "--key-host", "b.example", "--render"]
    const { stdout, stderr } = await run(words, { env })
    expect(stdout).toContain("--key-host a.example --key-host b.example")
    expect(stdout.match(/--key-host/g)).toHaveLength(2)
    expect(stderr).toContain(`the model is at ${model.url}/v1, which is another machine for each shard`)
    expect(stderr).toMatch(/the run is in \.\/\.assay-eval\/words-.*, because there is no --out/)
  })

  it("names a program that does not exist, and does not start it again", async () => {
    folder.write("executors.yaml", "profiles:\n  p: {executor: command, command: 'no-such-program {index}'}\n")
    const { exitCode, stdout } = await run(["--profile", "p", "--shards", "1", "--out", "out"])
    expect(exitCode).toBe(1)
    expect(stdout).toContain(
      "Shard 0 failed because: its process ended without rows ('no-such-program' was not started:",
    )
    expect(list("out/logs")).toEqual(["00000-1.log"])
  })

  it("says of a command that succeeds without rows that it did, with the last line that it wrote", async () => {
    folder.write("executors.yaml", "profiles:\n  p: {executor: command, retries: 0, command: 'echo hello {index}'}\n")
    const { stdout } = await run(["--profile", "p", "--shards", "1", "--out", "out"])
    expect(stdout).toContain("(the command ended with exit code 0 before its shards had rows): hello 0")
  })
})
