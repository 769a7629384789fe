import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createCommitLines } from "./commit-lines.ts"

const commitLines = createCommitLines()

async function* inPieces(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = (text: string, size = 1000) => Array.fromAsync(commitLines(inPieces(Buffer.from(text), size)))

describe("the lines of a commit", () => {
  it("are the same for every split of their bytes", async () => {
    const line = fc.record({
      key: fc.constant("deletedFile"),
      value: fc.record({ path: fc.string({ unit: "grapheme" }) }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 40 }), fc.boolean(), async (lines, size, ends) => {
        const text = lines.map((item) => JSON.stringify(item)).join("\n") + (ends ? "\n" : "")
        expect(await read(text, size)).toEqual(lines)
      }),
    )
  })

  it("can be blank, end in CR and have unknown fields", async () => {
    const text = '\n{"key":"header","value":{"summary":"x","more":1},"also":2}\r\n\r\n'
    expect(await read(text)).toEqual([{ key: "header", value: { summary: "x", more: 1 } }])
  })

  it("are refused if they are not UTF-8, instead of being stored with other characters", async () => {
    const line = Buffer.from('{"key":"file","value":{"path":"a","content":"caf\u00e9"}}', "latin1")
    await expect(Array.fromAsync(commitLines(inPieces(line, 1000)))).rejects.toMatchObject({
      code: "bad_request",
      message: "Line 1 of the commit is not UTF-8.",
    })
  })

  it.each([
    ["nonsense", "Line 1 of the commit is not a JSON object"],
    ["[]", "Line 1 of the commit is not a JSON object"],
    ['\n{"key":"toString","value":{}}', "Line 2 of the commit has the key 'toString'"],
    ['{"key":"file","value":{"path":"a"}}', "content: Field required"],
    ['{"key":"deletedFile","value":null}', "Must be object"],
    [
      '{"key":"deletedFile","value":{"path":"a","path":"b"}}',
      "Line 1 of the commit has the key 'path' twice in one object",
    ],
    ['{"key":"deletedFile","key":"file","value":{"path":"a"}}', "Line 1 of the commit has the key 'key' twice"],
  ])("are refused with their number: %s", async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({ code: "bad_request", message: expect.stringContaining(message) })
  })
})
