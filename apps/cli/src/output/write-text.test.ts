import { readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { runCommand } from "../testing/run-command.ts"
import { makeTemporaryFolder } from "../testing/temporary-folder.ts"
import { writeTextBytes } from "./write-text.ts"

/** A terminal that obeys it copies `boo` to the clipboard. */
const OSC_52 = "\u001B]52;c;Ym9v\u0007"

describe("text on a terminal", () => {
  it("shows the escape sequences of a log instead of obeying them", verifies("cli.output.controls"), async () => {
    using folder = makeTemporaryFolder()
    folder.write("run/results/evaluation.log", `2026-11-20 WARN  the model said ${OSC_52}\u202E\n    next line\n`)
    const { exitCode, stdout } = await runCommand(["eval", "logs", "./run"], { cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(stdout).toBe("2026-11-20 WARN  the model said ⟨U+001B⟩]52;c;Ym9v⟨U+0007⟩⟨U+202E⟩\n    next line\n")
  })

  it(
    "shows the escape sequences of an error too, with and without --json",
    verifies("cli.output.controls"),
    async () => {
      for (const json of [[], ["--json"]]) {
        const { stderr } = await runCommand(["eval", "logs", `./${OSC_52}`, ...json])
        expect(stderr).toContain("]52;c;Ym9v")
        // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
        expect(stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/)
      }
    },
  )

  it("decodes characters that arrive in several pieces", verifies("cli.output.controls"), async () => {
    const stream = new PassThrough()
    const bytes = Buffer.from(`ä${OSC_52}\u202E日`)
    const written = text(stream)
    await writeTextBytes(
      stream,
      (async function* () {
        for (const byte of bytes) yield Uint8Array.of(byte)
      })(),
    )
    stream.end()
    expect(await written).toBe("ä⟨U+001B⟩]52;c;Ym9v⟨U+0007⟩⟨U+202E⟩日")
  })

  it("is written only through write-text.ts", verifies("cli.output.controls"), () => {
    const root = fileURLToPath(new URL("..", import.meta.url))
    const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
      // main.ts imports nothing that an older Node can't load, and prints only the version of Node.
      (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith(`output${sep}`),
    )
    expect(sources.length).toBeGreaterThan(50)
    // main.ts writes only words of its own, before any other module is loaded.
    const direct = sources.filter((path) => /\b(stdout|stderr)\.write\(/.test(readFileSync(join(root, path), "utf8")))
    expect(direct).toEqual(["main.ts"])
  })
})
