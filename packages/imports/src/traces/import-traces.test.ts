import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { verifies } from "@assay/testkit"
import { beforeEach, describe, expect, it } from "vitest"
import { chat, otlp, span, text } from "@assay/traces/testing"
import { importTraces } from "./import-traces.ts"

let folder: DisposableTempDir
beforeEach(() => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-traces-"))
  return () => folder.remove()
})

interface Row {
  readonly id: string
  readonly turns: readonly { readonly user: string; readonly output_text: string | null }[]
  readonly tool_answers: object
  readonly messages: readonly object[]
  readonly metadata: object
}

async function importFile(name: string, content: string | Uint8Array) {
  writeFileSync(join(folder.path, name), content)
  const out = "evaluation.yaml"
  const options = {
    file: name,
    cwd: folder.path,
    out,
    model: undefined,
    force: true,
    signal: AbortSignal.timeout(60_000),
  }
  const { notes, rows } = await importTraces(options)
  const read = (file: string) => readFileSync(join(folder.path, file), "utf8")
  const lines = read("evaluation.rows.jsonl").trimEnd().split("\n")
  return { notes, rows, file: read(out), list: lines.map((line) => JSON.parse(line) as Row) }
}

const jsonl = (...records: readonly unknown[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("")
const said = ({ list }: { readonly list: readonly Row[] }) =>
  list.map(({ turns }) => turns.map(({ user, output_text }) => [user, output_text]))
const counts = ({
  notes,
}: {
  readonly notes: readonly { readonly part: string; readonly outcome: string; readonly count: number }[]
}) => Object.fromEntries(notes.map(({ part, outcome, count }) => [`${part}, ${outcome}`, count]))

const U1 = text("user", "Where?")
const A1 = text("assistant", "Here.")
const U2 = text("user", "Thanks")
const A2 = text("assistant", "Bye")
const called = (id: string) => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name: "get order", arguments: { id: "A1" } }],
})
const told = (id: string, response: string) => ({ role: "tool", parts: [{ type: "tool_call_response", id, response }] })
const OF = { "gen_ai.conversation.id": "c1" }

describe("conversations of traces", () => {
  it("are rows, whose spans can be anywhere in the file", verifies("run.traces"), async () => {
    const found = await importFile(
      "t.jsonl",
      jsonl(
        otlp(span("t2//b1", 9, chat([U1, A1, U2], [A2]))),
        otlp(
          span("t9//x", 1, { "http.request.header.authorization": "Bearer secret-1" }),
          span("t3//y", 1, chat([text("user", "Hi")], [text("assistant", "Yo")])),
        ),
        otlp(span("t1/a0/a1", 2, chat([U1], [called("k1")], { ...OF, "api.key": "secret-2" })), span("t2//b0", 8, OF)),
        otlp(
          span("t1/a0/a3", 4, chat([U1, called("k1"), told("k1", "shipped")], [A1], OF)),
          span("t1//a0", 1, { "gen_ai.operation.name": "invoke_agent", "input.value": "Where?" }),
        ),
      ),
    )
    expect(found.list.map(({ id }) => id)).toEqual(["c1", "t3"])
    // The second trace belongs to the conversation because one of its spans says so, and it left out the call.
    expect(said(found)[0]).toEqual([
      ["Where?", "Here."],
      ["Thanks", "Bye"],
    ])
    expect(found.list[0]).toMatchObject({
      tool_answers: { get_order: [{ when: { id: "A1" }, result: "shipped" }] },
      metadata: {
        conversation: "c1",
        traces: ["t1", "t2"],
        time: "2025-11-20T00:53:22.000Z",
        models: ["m1"],
        requests: 3,
      },
    })
    expect(found.list[0]?.messages).toHaveLength(6)
    expect(counts(found)).toMatchObject({
      "request to a model, mapped": 4,
      "other span, left out": 2,
      "step of an agent, left out": 1,
      "conversation, mapped": 2,
    })
    expect(JSON.stringify(found.list) + found.file).not.toContain("secret")
    expect(readdirSync(folder.path).toSorted()).toEqual(["evaluation.rows.jsonl", "evaluation.yaml", "t.jsonl"])
  })

  it("are the same from JSON Lines, a list, one object and a compressed file", async () => {
    const records = [otlp(span("t1//a", 1, chat([U1], [A1]))), otlp(span("t2//a", 1, chat([U2], [A2])))]
    const spans = otlp(span("t1//a", 1, chat([U1], [A1])), span("t2//a", 1, chat([U2], [A2])))
    const all = [
      await importFile("a.jsonl", jsonl(...records)),
      await importFile("b.json", JSON.stringify(records)),
      await importFile("c.json", JSON.stringify(spans, null, 2)),
      await importFile("d.json", jsonl(...records)),
      await importFile("e.jsonl.gz", gzipSync(jsonl(...records))),
    ]
    for (const { list } of all) expect(list).toEqual(all[0]?.list)
    expect(all[0]?.rows).toBe(2)
  })

  it("leave out what was sent again, spans that are there twice, helpers, and rows that ask the same", async () => {
    const other = { role: "system", parts: [{ type: "text", content: "Classify." }] }
    const one = span("t1//a1", 1, chat([U1], [A1]))
    const found = await importFile(
      "t.jsonl",
      jsonl(
        otlp(one, one, span("t1//a2", 2, chat([U1], [text("assistant", "Again.")]))),
        otlp(
          span("t1//a3", 3, chat([other, U1], [text("assistant", "question")])),
          span("t1//a4", 4, chat([U1, A1, U2], [A2])),
        ),
        otlp(span("t5//a", 1, chat([U1], [A1])), span("t5//b", 2, chat([U1, A1, U2], [A2]))),
      ),
    )
    expect(said(found)).toEqual([
      [
        ["Where?", "Here."],
        ["Thanks", "Bye"],
      ],
    ])
    expect(counts(found)).toMatchObject({
      "span, again, left out": 1,
      "request, again, left out": 1,
      "request of a helper, left out": 1,
      "conversation, left out": 1,
    })
  })

  it("join requests that have only the new messages, or the last ones, or a system message with the time", async () => {
    const at = (time: string) => text("system", `It is ${time}.`)
    const found = await importFile(
      "t.jsonl",
      jsonl(
        otlp(
          span("t1//a", 1, chat([U1], [called("k")], { "session.id": "new" })),
          span("t1//b", 2, chat([told("k", "x")], [A1])),
        ),
        otlp(
          span("t2//a", 3, chat([U2], [A2], { "session.id": "new" })),
          span("t3//a", 4, chat([U2], [A2], { "session.id": "new" })),
        ),
        otlp(span("t4//a", 1, chat([at("1"), U1], [A1])), span("t4//b", 2, chat([at("2"), U1, A1, U2], [A2]))),
        otlp(
          span("t6//a", 1, chat([U1], [A1], { "session.id": "cut" })),
          span("t6//b", 2, chat([U1, A1, U2], [A2])),
          span("t6//c", 3, chat([A1, U2, A2, text("user", "So?")], [text("assistant", "Yes")])),
        ),
      ),
    )
    expect(said(found)).toEqual([
      [
        ["Where?", "Here."],
        ["Thanks", "Bye"],
        ["Thanks", "Bye"],
      ],
      [
        ["Where?", "Here."],
        ["Thanks", "Bye"],
      ],
      [
        ["Where?", "Here."],
        ["Thanks", "Bye"],
        ["So?", "Yes"],
      ],
    ])
  })

  it("are read from a line with all spans of a batch, which has more keys than a row of a dataset may have", async () => {
    const other = { "http.route": "/", "http.request.header.cookie": "x".repeat(200) }
    const many = Array.from({ length: 6000 }, (_, at) => span(`o//${at}`, 1, other))
    const { list, notes } = await importFile("t.jsonl", jsonl(otlp(...many, span("t1//a", 1, chat([U1], [A1])))))
    expect([list.length, counts({ notes })["other span, left out"]]).toEqual([1, 6000])
  })

  it("have the input and output of their outermost steps if their requests were not recorded", async () => {
    const csv = [
      "id,timestamp,name,sessionId,input,output",
      `l1,2026-11-20T10:00:00Z,chat,s1,"{""messages"":[{""role"":""user"",""content"":""Where?""}]}","""Here."""`,
      `l2,2026-11-20T10:01:00Z,chat,s1,"{""question"":""Thanks""}",Bye`,
    ].join("\n")
    const found = await importFile("langfuse.csv", csv)
    expect([found.list[0]?.id, said(found)]).toEqual([
      "s1",
      [
        [
          ["Where?", "Here."],
          ["Thanks", "Bye"],
        ],
      ],
    ])
    const session = {
      id: "s2",
      traces: [{ id: "l1", timestamp: "2026-11-20T10:00:00Z", input: "Where?", output: "Here." }],
    }
    expect((await importFile("session.json", JSON.stringify(session))).list[0]).toMatchObject({ id: "s2" })
  })
})

describe("hostile files of traces", () => {
  it("are bounded, and what is odd in them is counted", async () => {
    const deep = JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`) as unknown
    const kv = { kvlistValue: { values: [{ key: "k", value: null }, 3, { value: { arrayValue: {} } }] } }
    const odd = {
      attributes: [
        null,
        { key: 3 },
        { key: "gen_ai.prompt", value: kv },
        { key: "gen_ai.prompt.999999999.role", value: { stringValue: "user" } },
      ],
      events: "x",
      status: 4,
    }
    const proto = { "gen_ai.prompt.__proto__.role": "user", "gen_ai.prompt.constructor.content": "x", ...OF }
    const image = {
      role: "user",
      content: [
        { type: "image_url", image_url: { url: "data:…" } },
        { type: "text", text: "What?" },
      ],
    }
    const turns = Array.from({ length: 130 }, (_, at) => [text("user", `q${at}`), text("assistant", `a${at}`)]).flat()
    const found = await importFile(
      "t.jsonl",
      `not json\n${jsonl(
        deep,
        null,
        { traceId: 5, attributes: [] },
        otlp(
          span("o1//a", 1, {}, odd),
          span("o2//a", 1, proto),
          span("o3//a", 1, chat([], [], { "gen_ai.input.messages": "[".repeat(90_000) })),
        ),
        otlp(span("i//a", 1, chat([image], [called("u")]))),
        otlp(span("l//a", 1, chat(turns.slice(0, -1), [A1]))),
      )}`,
    )
    expect(counts(found)).toMatchObject({
      "record, left out": 1,
      "part without text, changed": 1,
      "call without an answer, changed": 1,
      "turn, left out": 30,
    })
    expect(said(found)).toContainEqual([["[image_url]\nWhat?", null]])
    expect(found.list.find(({ id }) => id === "l")?.turns).toHaveLength(100)
    expect(({} as { role?: string }).role).toBeUndefined()
  })

  it.each([
    [
      "t.jsonl",
      jsonl(otlp(span("t//a", 1, { "gen_ai.operation.name": "chat" }))),
      "has spans of models, and none of their conversations has a message",
    ],
    [
      "t.jsonl",
      jsonl(otlp(span("t//a", 1, { "http.route": "/" }))),
      "has 1 spans, and none of them has messages of a model: record the contents",
    ],
    ["t.jsonl", jsonl({ question: "Why?" }), "has no spans: 1 of its records are of no known form"],
    ["t.jsonl", "{\n", "t.jsonl:1:1: The record begins a value over several lines"],
    ["t.json", `{"a":${"[".repeat(300)}${"]".repeat(300)}}`, "exceeds the limit of 200 for depth"],
    ["t.txt", "x", "t.txt"],
  ])("are refused: %#", async (name, content, why) => {
    await expect(importFile(name, content)).rejects.toThrow(why)
    expect(readdirSync(folder.path)).toEqual([name])
  })
})
