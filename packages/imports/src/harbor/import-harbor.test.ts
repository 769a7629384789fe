import { mkdirSync, mkdtempDisposableSync, rmSync, symlinkSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { verifies } from "@assay/testkit"
import { beforeEach, describe, expect, it } from "vitest"
import { importHarbor } from "./import-harbor.ts"
import { readDockerfile } from "./read-dockerfile.ts"

let folder: DisposableTempDir
beforeEach(() => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-harbor-"))
  return () => folder.remove()
})

const TASK = {
  "task.toml": '[metadata]\ndifficulty = "easy"\n[agent]\ntimeout_sec = 20.5\n[environment]\nallow_internet = false\n',
  "instruction.md": "Do it.",
  "environment/Dockerfile": "FROM alpine:3\nWORKDIR /app\n",
  "tests/test.sh": "echo 1 > /logs/verifier/reward.txt\n",
}

/** Writes a task folder. Files that are null are left out. */
function task(name: string, over: Readonly<Record<string, string | null>> = {}): void {
  for (const [path, text] of Object.entries({ ...TASK, ...over })) {
    if (text === null) continue
    const file = join(folder.path, "tasks", name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

const read = (over: object = {}) =>
  importHarbor({
    folder: "tasks",
    cwd: folder.path,
    out: "evaluation.yaml",
    model: { url: "http://127.0.0.1:1/v1", name: "m" },
    agent: "sh /agent/run.sh",
    agentFiles: undefined,
    ...over,
  })

describe("task folders of Harbor", () => {
  it("become files of a harness, and tasks that can't be run here are left out", verifies("run.harbor"), async () => {
    task("good task", { "instruction.md": "<!-- harbor-canary GUID 1 -->\n# Canary 2\n\n# Do it.\n\ncanary" })
    task("b", { "environment/Dockerfile": "FROM a\nRUN apt-get update && apt-get install -y gcc\n" })
    task("c", { "environment/Dockerfile": null })
    task("d", { "environment/docker-compose.yaml": "services: {}" })
    task("e", { "task.toml": "[[[" })
    task("f", { "tests/test.sh": "curl -LsSf http://127.0.0.1/install.sh | sh\n" })
    task("g", { "instruction.md": null })
    task("h", { "steps/1/instruction.md": "x" })
    for (const [name, part] of [
      ["link-a", "environment"],
      ["link-b", "instruction.md"],
      ["link-c", "tests/test.sh"],
      ["link-d", "solution"],
    ] as const) {
      task(name)
      const place = join(folder.path, "tasks", name, part)
      rmSync(place, { recursive: true, force: true })
      symlinkSync(join(folder.path, "tasks/good task", part === "solution" ? "tests" : part), place)
    }
    task("i", { "task.toml": "[[steps]]\n" })
    task("link-e")
    symlinkSync("tests", join(folder.path, "tasks/link-e/solution"))
    const { files, notes } = await read()
    expect(notes.map(({ part, outcome, count }) => `${part} ${outcome} ${count}`).toSorted()).toEqual([
      "image changed 2",
      "network changed 2",
      ...Array.from({ length: 10 }, () => "task left out 1"),
      "task left out 2",
      "task mapped 2",
    ])
    expect(notes.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([
        "its image runs 'apt-get update'",
        "it has no environment/Dockerfile",
        "its environment has several containers",
        expect.stringContaining("its task.toml can't be read"),
        expect.stringContaining("its tests run 'curl"),
        "it has no instruction.md",
        "it has several steps",
        ...["environment", "instruction.md", "tests/test.sh", "solution"].map(
          (part) => `its '${part}' is a link to a place outside of its folder`,
        ),
      ]),
    )
    const text = (name: string) => files.find(({ path }) => path.endsWith(name))?.text
    expect(text("good-task/task.env")).toBe(
      `source='${join(folder.path, "tasks/good task")}'\nworkdir=/app\nagent_time=21\nverifier_time=600\n`,
    )
    expect(text("evaluation.yaml")).toContain("time_limit: 2442")
    expect(text("good-task/instruction.md")).toBe("# Do it.\n\ncanary")
  })

  it("are refused if none can be run, and an agent is no template", async () => {
    task("a", { "tests/test.sh": null })
    await expect(read()).rejects.toThrow("No task of tasks can be run here: tasks/a: it has no tests/test.sh")
    await expect(read({ folder: "nowhere" })).rejects.toMatchObject({ code: "not_found" })
    await expect(read({ agent: "echo {{ x }}" })).rejects.toThrow("marks of a template")
  })
})

describe("a Dockerfile", () => {
  it("creates and copies files by commands of a shell", () => {
    const text = `# syntax=docker/dockerfile:1
FROM python:3.12-slim
ENV A=1 B="two words"
ENV C it's
WORKDIR /app
COPY data/*.txt main.py ./
ADD conf /etc/conf
RUN mkdir -p out && \\
    touch out/x
CMD ["bash"]
`
    expect(readDockerfile(text)).toEqual({
      image: "python:3.12-slim",
      workdir: "/app",
      variables: { A: "1", B: "two words", C: "it's" },
      commands: [
        "mkdir -p /app",
        "mkdir -p /app/./ && copy /ctx/data/*.txt /app/./ && copy /ctx/main.py /app/./",
        "mkdir -p /etc && copy /ctx/conf /etc/conf",
        "cd /app && mkdir -p out && touch out/x",
      ],
      leftOut: undefined,
    })
  })

  it.each([
    ["FROM a\nRUN pip install x", "its image runs 'pip install x'"],
    ["FROM a\nRUN mkdir x; curl y", "its image runs 'mkdir x; curl y'"],
    ["FROM a\nRUN touch $(curl y)", "its image runs 'touch $(curl y)'"],
    ["FROM a AS b\nFROM c", "several stages"],
    ["FROM a\nCOPY --from=b /x /y", "its image has 'COPY --from=b"],
    ["FROM a\nCOPY ../x /y", "its image has 'COPY ../x"],
    ["FROM a\nADD http://127.0.0.1/z /y", "its image has 'ADD http"],
    ["FROM a\nUSER app", "its image has 'USER app'"],
  ])("is left out: %j", (text, why) => {
    expect(readDockerfile(text).leftOut).toContain(why)
  })
})
