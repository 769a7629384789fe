import { mkdtempDisposableSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import type { EvaluationConfig, EvaluationJob, LaunchBody } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { beforeEach, describe, expect, it } from "vitest"
import { jobOfFile, readEvaluationFile, runName } from "./evaluation-file.ts"
import { stateOfFile } from "./file-state.ts"
import { launchFile, type LaunchFileOptions, type LaunchServer } from "./launch-file.ts"

let folder: DisposableTempDir
beforeEach(() => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-file-"))
  writeFileSync(join(folder.path, "rows.csv"), "question\na\n")
  return () => folder.remove()
})

const CONTENT = {
  target: { type: "model", model: { api_endpoint: { url: "http://h/v1", model_id: "m", api_key_env: "MY_KEY" } } },
  config: { type: "custom", tasks: { qa: { type: "data", dataset: { files_url: "./rows.csv" } } } },
  gates: ["qa.m.s >= 0.8"],
  output: "./out",
}

async function read(content: object) {
  return (await readAll(content))[0]
}

function readAll(content: object) {
  const parse = (text: string, name: string) => ({ value: JSON.parse(text) as unknown, locationOf: () => name })
  writeFileSync(join(folder.path, "my eval.json"), JSON.stringify(content))
  return readEvaluationFile("my eval.json", {
    cwd: folder.path,
    home: folder.path,
    stdin: Readable.from([]),
    signal: new AbortController().signal,
    parse,
  })
}

/** Records what it receives. Its configurations have the name that is asked. */
function createServer() {
  const files = new Map<string, string>()
  const launched: LaunchBody[] = []
  const created: string[] = []
  const server: LaunchServer = {
    filesets: {
      create: async (_workspace, { name }) => {
        created.push(name)
        if ([...files.keys()].some((path) => path.includes(name))) throw new AssayError("already_exists", name)
      },
    },
    files: {
      stat: async (workspace, fileset, path) => {
        const found = files.get(`${workspace}/${fileset}#${path}`)
        if (found === undefined) throw new AssayError("not_found", path)
        return { size: found.length }
      },
      write: async (workspace, fileset, path, bytes) => {
        files.set(`${workspace}/${fileset}#${path}`, await text(Readable.from(bytes)))
      },
    },
    evaluation: {
      configs: {
        get: async (workspace, name) =>
          ({
            id: "config-1",
            created_at: "",
            updated_at: "",
            type: "custom",
            name: `${workspace} ${name}`,
          }) as unknown as EvaluationConfig,
      },
      jobs: {
        launch: async (body) => {
          launched.push(body)
          return { id: "eval-1" } as EvaluationJob
        },
      },
    },
  }
  return { server, files, launched, created }
}

describe("launching an evaluation file", () => {
  const said: string[] = []
  beforeEach(() => void said.splice(0))
  const options = (server: LaunchServer, over: Partial<LaunchFileOptions> = {}): LaunchFileOptions => ({
    server,
    workspace: "research",
    overrides: {},
    skipChecks: false,
    keys: { env: { MY_KEY: "sk-1" }, isKeyHost: () => true, defaultVariable: "KEY" },
    home: folder.path,
    say: (text) => said.push(text),
    signal: new AbortController().signal,
    ...over,
  })

  it("sends its rows once, and its keys with the launch", async () => {
    const { server, files, launched, created } = createServer()
    const file = await read(CONTENT)
    await launchFile(file, options(server))
    await launchFile(file, options(server))
    expect(created).toHaveLength(1)
    const [path = ""] = files.keys()
    const [, name] = /^research\/(eval-inputs-[0-9a-f]{16})#rows\.csv$/.exec(path) ?? []
    expect([...files.values()]).toEqual(["question\na\n"])
    expect(said).toEqual([`sent ./rows.csv to research/${name} (1 file)`, `./rows.csv is at research/${name} already`])
    const { target, config, ...others } = launched[0] as LaunchBody & { target: object; config: object }
    expect(others).toEqual({ namespace: "research", description: "my-eval" })
    expect(target).toMatchObject({ model: { api_endpoint: { api_key: "sk-1" } } })
    expect(JSON.stringify(target)).not.toContain("MY_KEY")
    const dataset = { files_url: `assay://datasets/research/${name}/rows.csv` }
    expect(config).toMatchObject({ tasks: { qa: { dataset } } })
    expect(launched[1]).toEqual(launched[0])
  })

  it("sends labels of this machine that its metrics name, from a file or a folder", async () => {
    const { server, files, launched } = createServer()
    writeFileSync(join(folder.path, "labels.jsonl"), '{"label":1}\n')
    const tasks = (labels: string) => ({ qa: { type: "data", metrics: { m: { type: "llm-judge", labels } } } })
    for (const labels of ["./labels.jsonl", "./", "default/people"]) {
      const file = await read({ ...CONTENT, config: { type: "custom", tasks: tasks(labels) } })
      await launchFile(file, options(server))
    }
    const [path = ""] = files.keys()
    const [, name] = /^research\/(eval-inputs-[0-9a-f]{16})#labels\.jsonl$/.exec(path) ?? []
    expect([...files.values()]).toEqual(['{"label":1}\n'])
    const sent = `assay://datasets/research/${name}/labels.jsonl`
    const configs = launched.map(({ config }) => config)
    expect(configs).toMatchObject([sent, sent, "default/people"].map((labels) => ({ tasks: tasks(labels) })))
  })

  it("fetches a configuration that is only named if there are overrides", async () => {
    const { server, launched } = createServer()
    const file = await read({ target: "ns/t", config: "mine", output: "assay://results/x" })
    await launchFile(file, options(server))
    await launchFile(file, options(server, { overrides: { limit: 3 } }))
    const named = { namespace: "research", target: "ns/t", config: "mine", output_files_url: "assay://results/x" }
    expect(launched[0]).toEqual(named)
    expect(launched[1]).toEqual({
      ...named,
      config: { type: "custom", name: "research mine", params: { limit_samples: 3 } },
    })
    const wrong = await read({ target: "ns/t", config: "a/b/c" })
    await expect(launchFile(wrong, options(server, { overrides: { limit: 3 } }))).rejects.toMatchObject({
      code: "bad_document",
    })
  })
})

describe("running an evaluation file", () => {
  it("uses its name without spaces, and refuses what only a server has", async () => {
    const file = await read(CONTENT)
    const job = jobOfFile(file, { workspace: "research", overrides: { limit: 3 } })
    expect(job).toMatchObject({ namespace: "research", config: { params: { limit_samples: 3 } } })
    expect(runName(job, file)).toBe("my-eval")
    expect(runName({ ...job, config: { ...job.config, name: ".a/b" } }, file)).toBe("a-b")
    const named = await read({ ...CONTENT, target: "ns/t" })
    expect(() => jobOfFile(named, { workspace: "research", overrides: {} })).toThrow(/names the target 'ns\/t'/)
  })

  it("stateOfFile changes with the file and with its rows, and is the message if the file can't be read", async () => {
    const state = (content: object) => stateOfFile(() => readAll(content), folder.path)
    const before = await state(CONTENT)
    expect(await state({ ...CONTENT, gates: [] })).not.toBe(before)
    const again = await stateOfFile(() => readAll(CONTENT), folder.path)
    writeFileSync(join(folder.path, "rows.csv"), "question\na\nb\n")
    expect(await stateOfFile(() => readAll(CONTENT), folder.path)).not.toBe(again)
    expect(await state({ config: CONTENT.config })).toContain("'target'")
  })
})
