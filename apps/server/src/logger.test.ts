import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"

const LOGGER = fileURLToPath(new URL("../dist/logger.js", import.meta.url))

/** Returns what a logger with this format writes to stderr for `message`. */
async function logged(format: "pretty" | "json", message: string): Promise<string> {
  const script = `import { createLogger } from ${JSON.stringify(LOGGER)}
    const logger = createLogger({ ASSAY_LOG_LEVEL: "info", ASSAY_LOG_FORMAT: ${JSON.stringify(format)} }, false)
    logger.warn({ said: ${JSON.stringify(message)} }, ${JSON.stringify(message)})`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "pipe"] })
  return text(child.stderr)
}

describe("the log of a server", () => {
  it("shows foreign control characters as ⟨U+202E⟩ on a terminal", verifies("operating.log.controls"), async () => {
    const written = await logged("pretty", "a\u001B]52;c;Ym9v\u0007\u009B\u202E\b\\u001b\tb\nc")
    expect(written).toContain("a⟨U+001B⟩]52;c;Ym9v⟨U+0007⟩⟨U+009B⟩⟨U+202E⟩⟨U+0008⟩\\u001b\tb\nc")
    // pino-pretty adds no colours if stderr is not a terminal, so it writes none of these characters itself.
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(written).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202E]/)
  })

  it("is JSON with the logged values if it is not on a terminal", verifies("operating.log.controls"), async () => {
    const message = "a\u001B]52;c;Ym9v\u0007\nb"
    expect(JSON.parse(await logged("json", message))).toMatchObject({ msg: message })
  })
})
