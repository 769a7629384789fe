import { describe, expect, it } from "vitest"
import { parseMessageLines } from "./parse-message-lines.ts"
import { parseLabelledRows, parseMessageRows } from "./parse-prompt-rows.ts"

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items
}

describe("the lines of a file with messages", () => {
  const read = (lines: readonly string[], response?: string) =>
    Array.fromAsync(parseMessageLines(streamOf(lines), response))

  it("are messages, or JSON objects with a prompt and a response", async () => {
    const lines = ["hello", "", "  ", '{"prompt":"a","response":"b"}', '{"prompt":"c"}', "{not JSON"]
    expect(await read(lines)).toEqual([
      { prompt: "hello" },
      { prompt: "a", response: "b" },
      { prompt: "c" },
      { prompt: "{not JSON" },
    ])
    expect(await read(["hello", '{"prompt":"a","response":"b"}'], "given")).toEqual([
      { prompt: "hello", response: "given" },
      { prompt: "a", response: "b" },
    ])
  })

  it("are refused with the number of the line if an object has no prompt", async () => {
    const refusal = { code: "bad_document", message: expect.stringContaining("Line 3 is a JSON object without") }
    await expect(read(["a", "", '{"text":"b"}'])).rejects.toMatchObject(refusal)
  })
})

describe("labelled rows", () => {
  const row = (number: number, value: unknown, fault: string | null = null) => ({
    file: "a.csv",
    number,
    row: value,
    fault,
  })
  const read = (rows: readonly ReturnType<typeof row>[], limit?: number) =>
    Array.fromAsync(parseLabelledRows(streamOf(rows), { source: "./a", nameOf: (file) => `./a/${file}`, limit }))
  const safe = { prompt: "p", label: "safe" }

  it("are prompts, at most as many as the limit", async () => {
    expect(await read([row(1, safe), row(2, safe)])).toEqual([safe, safe])
    expect(await read([row(1, safe), row(2, null, "is broken")], 1)).toEqual([safe])
  })

  it.each([
    [[row(7, null, "is not JSON")], "./a/a.csv: row 7 is not JSON; correct it, or leave it out."],
    [[row(2, { prompt: "p", label: "bad" })], "./a/a.csv: Row 2 has `label`"],
    [[], "'./a' has no row"],
  ])("are refused with the file and the row: %j", async (rows, message) => {
    await expect(read(rows)).rejects.toMatchObject({ code: "rows_invalid", message: expect.stringContaining(message) })
  })
})

describe("rows with messages", () => {
  const read = (rows: readonly unknown[], response?: string) => {
    const numbered = rows.map((row, at) => ({ file: "a.csv", number: at + 1, row, fault: null }))
    return Array.fromAsync(parseMessageRows(streamOf(numbered), (file) => `./${file}`, response))
  }

  it("have a prompt and perhaps a response, without a label and other columns", async () => {
    const rows = [{ prompt: "a", label: "safe", response: "b" }, { prompt: "c", response: "" }, { prompt: "d" }]
    expect(await read(rows)).toEqual([{ prompt: "a", response: "b" }, { prompt: "c" }, { prompt: "d" }])
    expect(await read(rows, "given")).toMatchObject([{ response: "b" }, { response: "given" }, { response: "given" }])
  })

  it.each(["text", { label: "safe" }, { prompt: " " }, { prompt: "a", response: 1 }])(
    "are refused with the file and the row: %j",
    async (row) => {
      const refusal = { code: "rows_invalid", message: expect.stringContaining("./a.csv: Row 2 ") }
      await expect(read([{ prompt: "a" }, row])).rejects.toMatchObject(refusal)
    },
  )
})
