import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openFolderDatastore } from "../testing/folder-datastore.ts"
import { withFilesetPrograms } from "./fileset-programs.ts"

const signal = new AbortController().signal

function configOf(files: string, other = files) {
  const tool = { name: "stock", script: ["python3", "a.py"], files }
  const conversation = {
    turns: [{ user: "x" }],
    tools: [tool, { mcp: { command: ["python3", "b.py"], files: other } }],
  }
  const agent = { program: { command: ["python3", "a.py"], files } }
  return {
    type: "custom",
    tasks: { talk: { type: "conversation", params: { conversation } }, do: { params: { agent } } },
  } as const
}

/** Opens `default/tools` with files, and returns what reads them into a configuration. */
async function open(files: Readonly<Record<string, string | Uint8Array>>) {
  const store = await openFolderDatastore()
  await store.add("tools", files)
  const opened: (string | undefined)[] = []
  const read = async (reference: string, other?: string) => {
    const config = await withFilesetPrograms(configOf(reference, other), {
      signal,
      async open(workspace, name, revision) {
        opened.push(revision)
        await store.source.getFileset(workspace, name)
        return store.source.openStorage(workspace, name)
      },
    })
    const { conversation, agent } = { ...config.tasks?.["talk"]?.params, ...config.tasks?.["do"]?.params }
    return { script: conversation?.tools?.[0], mcp: conversation?.tools?.[1]?.mcp, agent: agent?.program }
  }
  return { read, opened, store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

describe("files of programs in a fileset", () => {
  it("become texts of the job, with the digest of what was read", verifies("run.program-filesets"), async () => {
    await using tools = await open({ "a.py": "print(1)", "lib/b.py": "ü" })
    const whole = await tools.read("default/tools", "default/tools#lib")
    const texts = { "a.py": "print(1)", "lib/b.py": "ü" }
    expect(whole.script).toMatchObject({
      files: texts,
      files_from: expect.stringMatching(/^default\/tools@sha256:[0-9a-f]{64}$/),
    })
    expect(whole.agent).toMatchObject({ files: texts, files_from: whole.script?.files_from })
    expect(whole.mcp).toMatchObject({ files: { "b.py": "ü" }, files_from: expect.stringMatching(/#lib$/) })
    // Each reference is read once.
    expect(tools.opened).toEqual([undefined, undefined])

    const pinned = whole.script?.files_from ?? ""
    expect((await tools.read(pinned)).script).toEqual(whole.script)
    await tools.read("default/tools@v1")
    expect(tools.opened.at(-1)).toBe("v1")
    await tools.store.add("tools", { "a.py": "print(2)" })
    await expect(tools.read(pinned)).rejects.toThrow(/has the digest sha256:[0-9a-f]{64} now; correct the pin/)
    expect((await tools.read("default/tools")).script?.files_from).not.toBe(pinned)
  })

  it("keep any name that a file can have", async () => {
    await using tools = await open({ ["__proto__"]: "1", constructor: "2" })
    const { agent } = await tools.read("default/tools")
    const files = new Map(Object.entries(agent?.files ?? {}))
    expect([files.size, files.get("__proto__"), files.get("constructor")]).toEqual([2, "1", "2"])
  })

  it.each([
    [{ large: "x".repeat(1024 * 1024 + 1) }, "default/tools", "has more than 1 MiB"],
    [
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, ""])),
      "default/tools",
      "has more than 100 files",
    ],
    [{ binary: Uint8Array.of(0xff, 0xfe) }, "default/tools", "has the file 'binary', which is not a text in UTF-8"],
    [{ a: "" }, "default/tools#other", "has no files"],
    [{ a: "" }, "default/none", "are not found"],
    [{ a: "" }, "tools", "is not workspace/fileset"],
    [{ a: "" }, "default/tools#../a", ".."],
  ])("are bounded, and refused with the reason: %#", async (files, reference, why) => {
    await using tools = await open(files)
    await expect(tools.read(reference)).rejects.toThrow(why)
  })
})
