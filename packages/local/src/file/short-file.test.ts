import { mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Readable } from "node:stream"
import { shapePlan } from "@assay/evaluation"
import { parseYaml } from "@assay/validation"
import { verifies } from "@assay/testkit"
import { beforeEach, describe, expect, it } from "vitest"
import { jobGates } from "../gates/job-gates.ts"
import { jobOfFile, readEvaluationFile, runName } from "./evaluation-file.ts"
import { type AllowedFiles, openFolders } from "./open-folders.ts"
import { locateFaults } from "./locate-checks.ts"

let folder: DisposableTempDir
beforeEach(() => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-short-"))
  return () => folder.remove()
})

function read(text: string, name = "eval.yaml", allowed: AllowedFiles = { folders: [] }) {
  writeFileSync(join(folder.path, name), text)
  return readEvaluationFile(name, {
    cwd: folder.path,
    home: tmpdir(),
    allowed,
    stdin: Readable.from([]),
    signal: new AbortController().signal,
    parse: parseYaml,
  })
}

/** The types of metrics that the engine knows, as it lists them in an error. */
function metricTypes(): readonly string[] {
  const tasks = { qa: { type: "data", metrics: { m: { type: "zzzzzzzzzzzzzzzz" } } } }
  const { issues } = shapePlan({ type: "rows", rows: [{}] }, { type: "custom", tasks })
  return /use one of (.*)$/.exec(issues[0]?.message ?? "")?.[1]?.split(", ") ?? []
}

describe("a file in the short form", () => {
  it.each([
    [
      "folder",
      /^eval\.yaml:2:1: 'data': 'folder' is a folder beside this file: write \.\/folder for all files in it\.$/,
    ],
    ["notes.txt", /'notes\.txt' is a file, and its name does not say how its rows are written/],
    [
      "gone",
      /there is no file or folder \/.*\/gone\. A file is written with its ending, such as gone\.csv, and a fileset of a server with its workspace, such as default\/gone\.$/,
    ],
  ])("says what `data: %s` was taken for, and what to write", async (data, message) => {
    mkdirSync(join(folder.path, "folder"))
    writeFileSync(join(folder.path, "notes.txt"), "x")
    await expect(read(`model: http://h/v1#m\ndata: ${data}\nchecks: [latency]\n`)).rejects.toThrow(message)
    expect(await read("model: http://h/v1#m\ndata: ./folder\nchecks: [latency]\n")).toHaveLength(1)
  })

  it("does not send a file from elsewhere, or a hidden one, as its prompt", verifies("run.prompt-files"), async () => {
    mkdirSync(join(folder.path, "evals/.git"), { recursive: true })
    writeFileSync(join(folder.path, "evals/.git/config"), "token")
    writeFileSync(join(folder.path, "shared.txt"), "{{ q }}")
    symlinkSync("/proc/self/environ", join(folder.path, "evals/link.txt"))
    const readWith = (prompt: string) =>
      read(`model: http://h/v1#m\nprompt: ${prompt}\ndata: rows.csv\nchecks: [latency]\n`, "evals/eval.yaml")
    for (const prompt of ["../../../../../etc/hostname", "./link.txt"]) {
      await expect(readWith(prompt)).rejects.toThrow("with a prompt is outside of the folder of the evaluation file")
    }
    await expect(readWith("./.git/config")).rejects.toThrow("'./.git/config' with a prompt is hidden")
    // Below the working folder.
    expect(await readWith("../shared.txt")).toHaveLength(1)
  })

  it("does not send rows or labels from elsewhere, or hidden ones, to models", verifies("run.row-files"), async () => {
    using elsewhere = mkdtempDisposableSync(join(tmpdir(), "elsewhere-"))
    writeFileSync(join(elsewhere.path, "keys.csv"), "q\nkey\n")
    mkdirSync(join(folder.path, "evals/.hidden"), { recursive: true })
    mkdirSync(join(folder.path, "evals/rows"))
    for (const own of ["evals/.hidden/rows.csv", "evals/rows/a.csv", "shared.csv"]) {
      writeFileSync(join(folder.path, own), "q\nx\n")
    }
    symlinkSync(join(elsewhere.path, "keys.csv"), join(folder.path, "evals/rows/z.csv"))
    const path = "evals/eval.yaml"
    const ofRows = (data: string) => `model: http://h/v1#m\nprompt: "{{ q }}"\ndata: ${data}\nchecks: [latency]\n`
    const above = `../../${basename(elsewhere.path)}/keys.csv`
    const home = `~/${basename(elsewhere.path)}/*.csv`
    for (const data of [above, join(elsewhere.path, "keys.csv"), home, "./rows", "./rows/*.csv", "./rows/z.csv"]) {
      await expect(read(ofRows(data), path), data).rejects.toThrow(
        /is outside of the folder of the evaluation file.*--allow-folder/,
      )
      expect(await read(ofRows(data), path, { folders: [elsewhere.path] })).toHaveLength(1)
      expect(await read(ofRows(data), path, { folders: [], rowsAnywhere: true })).toHaveLength(1)
    }
    await expect(read(ofRows("./.hidden/rows.csv"), path)).rejects.toThrow("rows.csv' is hidden")
    mkdirSync(join(elsewhere.path, ".keys"))
    writeFileSync(join(elsewhere.path, ".keys/a.json"), "{}")
    const hidden = read(ofRows(join(elsewhere.path, ".keys/a.json")), path, { folders: [], rowsAnywhere: true })
    await expect(hidden).rejects.toThrow("a.json' is hidden")
    const labelled = `target: { type: rows, dataset: { files_url: ./rows/a.csv } }\nconfig: { type: custom, tasks: { t: { type: data, metrics: { m: { type: exact-match, labels: ${above} } } } } }\n`
    await expect(read(labelled, path)).rejects.toThrow("keys.csv' is outside of the folder")
    // A repository that the file is in is the stranger's, unless it is the user's own.
    mkdirSync(join(folder.path, "evals/.git"))
    const own = (home: string) => openFolders(join(folder.path, "evals/deep"), [], home)
    expect(own(tmpdir())).toEqual([join(folder.path, "evals/deep"), join(folder.path, "evals")])
    expect(own(join(folder.path, "evals"))).toEqual([join(folder.path, "evals/deep")])
    // Below the working folder, and a file that is missing, which the launch checks name.
    expect(await read(ofRows("../shared.csv"), path)).toHaveLength(1)
    expect(await read(ofRows("../../gone.csv"), path)).toHaveLength(1)
  })

  it("reads prompts beside it, as a text or as messages", async () => {
    writeFileSync(join(folder.path, "p.txt"), "Say {{ q }}.\n")
    writeFileSync(join(folder.path, "m.yaml"), "- {role: user, content: x}\n")
    const jobs = await read(
      "model: http://h/v1#m\nprompts: {text: ./p.txt, chat: ./m.yaml}\ndata: rows.csv\nchecks: [latency]\n",
    )
    const templates = jobs.map((job) => {
      const { config } = jobOfFile(job, { workspace: "default", overrides: {} })
      return config.tasks?.["answers"]?.params?.template
    })
    expect(templates).toEqual([{ prompt: "Say {{ q }}." }, { messages: [{ role: "user", content: "x" }] }])
    const names = jobs.map((job) => runName(jobOfFile(job, { workspace: "default", overrides: {} }), job))
    expect(names).toEqual(["eval-text", "eval-chat"])
    await expect(
      read("model: http://h/v1#m\nprompt: ./none.txt\ndata: rows.csv\nchecks: [latency]\n"),
    ).rejects.toMatchObject({ code: "not_found" })
  })

  it("has a short name for every type of metric", async () => {
    const types = metricTypes()
    expect(types.length).toBeGreaterThan(20)
    const text = "model: http://h/v1#m\ndata: rows.csv\nchecks: [zzzzzzzzzzzzz]\n"
    const error: unknown = await read(text).catch((thrown: unknown) => thrown)
    const names = /the checks are (.*)\.$/.exec(String(error))?.[1]?.split(", ") ?? []
    expect(types.filter((type) => !names.includes(type))).toEqual([])
  })

  it("has gates on its checks, and locations of faults in its lines", async () => {
    const [job] = await read(
      'model: http://h/v1#m\ndata: rows.csv\nprompt: "{{ q }}"\nchecks:\n  - equals: "{{ a }}"\n  - rouge: "{{ a }}"\ngates:\n  - equals >= 0.8\n  - rouge >= 0.5\n',
    )
    expect(() => jobGates.ofFile(job)).toThrow(/^eval\.yaml:9:5: .*rouge\.rouge_L_score/)
    const [keyed] = await read(
      'model: http://h/v1#m\ndata: rows.csv\nprompt: "{{ q }}"\nchecks:\n  - equals: "{{ a }}"\ngates:\n  - { metric: equals, op: ">=", value: 0.8 }\n',
    )
    expect(() => jobGates.ofFile(keyed, { stopEarly: true })).toThrow(/A gate with keys of its own .*'stop: early'/)
    const message = "tasks.answers.metrics.equals.params.ground_truth: is wrong"
    expect(locateFaults.inChecks([{ message }], job.document)).toEqual([{ message: `eval.yaml:5:5: ${message}` }])
  })
})
