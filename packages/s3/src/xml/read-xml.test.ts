import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readCompletion, readDeletion } from "../objects/read-documents.ts"
import { childText, readXml } from "./read-xml.ts"
import { writeXml } from "./write-xml.ts"

const refused = expect.objectContaining({ context: expect.objectContaining({ s3: "MalformedXML" }) })

describe("a document", () => {
  it("is read without its namespaces and attributes, with the five entities and characters by number", () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n<a:Delete xmlns:a="urn:x" y='1'><Key>&lt;&amp;&#x41;&#66;&quot;&apos;&gt;</Key><Quiet/></a:Delete>\n`
    const root = readXml(text)
    expect([root.name, childText(root, "Key"), childText(root, "Quiet"), childText(root, "No")]).toEqual([
      "Delete",
      `<&AB"'>`,
      "",
      undefined,
    ])
  })

  it("that was written is read as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        // oxlint-disable-next-line no-control-regex -- these are what is replaced
        const written = text.replaceAll(/[\u0000-\u001f\u007f\ufffe\uffff]/g, "\ufffd")
        expect(childText(readXml(writeXml("Root", { Key: text })), "Key")).toBe(written)
      }),
    )
  })

  it.each([
    "",
    "text",
    "<a>",
    "<a></b>",
    "<a/><b/>",
    "<a></a></a>",
    "<a b></a>",
    "<a b=c></a>",
    "<!DOCTYPE a><a/>",
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
    "<a>&x;</a>",
    "<a>&amp</a>",
    "<a>& </a>",
    "<a>&#0;</a>",
    "<a>&#xD800;</a>",
    "<a>&#x110000;</a>",
    "<a><!-- x --></a>",
    "<a><![CDATA[x]]></a>",
    "<a><?php x ?></a>",
    "<a>".repeat(9) + "</a>".repeat(9),
  ])("%s is refused", (text) => {
    expect(() => readXml(text)).toThrow(refused)
  })

  it.each([
    ["spaces in a tag", `<a${" ".repeat(4_000_000)}`],
    ["attributes", `<a${' b="c"'.repeat(600_000)}`],
    ["names", `<${"a".repeat(4_000_000)}`],
    ["ampersands", `<a>${"&".repeat(4_000_000)}</a>`],
    ["elements", `<a>${"<b/>".repeat(1_000_000)}</a>`],
  ])("of many %s is refused in time that is linear", (_, text) => {
    expect(() => readXml(text)).toThrow(refused)
  })
})

describe("the documents of S3", () => {
  const part = (number: number, etag = "x") => `<Part><ETag>"${etag}"</ETag><PartNumber>${number}</PartNumber></Part>`
  const completion = (parts: string) => `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`
  const deletion = (objects: string) => `<Delete>${objects}</Delete>`
  const object = "<Object><Key>a</Key></Object>"

  it("are read up to their limits", () => {
    expect(readCompletion(completion(part(1) + part(3)))).toEqual([
      { number: 1, etag: '"x"' },
      { number: 3, etag: '"x"' },
    ])
    const all = Array.from({ length: 10_000 }, (_, at) => part(at + 1)).join("")
    expect(readCompletion(completion(all))).toHaveLength(10_000)
    expect(readDeletion(deletion(`${object.repeat(1000)}<Quiet>true</Quiet>`))).toMatchObject({ isQuiet: true })
  })

  it.each([
    ["MalformedXML", () => readCompletion(completion(""))],
    ["MalformedXML", () => readCompletion(completion("<Part><PartNumber>1</PartNumber></Part>"))],
    ["InvalidArgument", () => readCompletion(completion(part(0)))],
    ["InvalidArgument", () => readCompletion(completion(part(10_001)))],
    ["InvalidPartOrder", () => readCompletion(completion(part(2) + part(1)))],
    ["InvalidPartOrder", () => readCompletion(completion(part(1) + part(1)))],
    ["MalformedXML", () => readDeletion(deletion(""))],
    ["MalformedXML", () => readDeletion(deletion(object.repeat(1001)))],
    ["MalformedXML", () => readDeletion(deletion("<Object/>"))],
    ["MalformedXML", () => readDeletion(deletion("<Object><Key>a</Key><Key>b</Key></Object>"))],
    ["NotImplemented", () => readDeletion(deletion("<Object><Key>a</Key><VersionId>1</VersionId></Object>"))],
  ])("are refused with %s if they are wrong", (s3, read) => {
    expect(read).toThrow(expect.objectContaining({ context: expect.objectContaining({ s3 }) }))
  })
})
