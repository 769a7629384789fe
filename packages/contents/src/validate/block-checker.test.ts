import { createNumberFinder } from "@assay/json"
import type { DatasetMetadata } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { checkBlock } from "../checking/schema-work.ts"
import { cutBytes } from "../reading/cut-rows.ts"
import { createRowCheckers } from "../schemas/row-checker.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import { piecesOf } from "../testing/overwritten-pieces.ts"
import { testSchemas } from "../testing/test-schemas.ts"
import { createBlockChecker, type BlockChecker } from "./block-checker.ts"

const metadata = {
  schema_defs: { id: { type: "integer" } },
  schemas_by_path: { "*.jsonl": { properties: { id: { $ref: "#/schema_defs/id" } } }, "*.json": { type: "object" } },
}
const texts = {
  "a.jsonl": Array.from({ length: 1000 }, (_, id) => JSON.stringify({ id: id % 7 === 0 ? "x" : id })).join("\n"),
  "a.json": `[${Array.from({ length: 1000 }, (_, id) => (id % 5 === 0 ? "[}" : "{}")).join(",\n")}]`,
}

function blockChecker(metadata: DatasetMetadata): BlockChecker {
  return createBlockChecker({
    runner: testSchemas({ checksHere: 0 }),
    schemas: rowSchemasOf(metadata),
    parallel: 2,
    blockBytes: 4 * 1024 * 1024,
  })
}

async function tallies(checker: Pick<BlockChecker, "check">) {
  const found = Object.entries(texts).map(async ([path, text]) => {
    const checks = []
    const encoding = path.endsWith("l") ? "lines" : "json"
    for await (const block of cutBytes(piecesOf(Buffer.from(text), [100]), { encoding, compression: null })) {
      if ("bounds" in block) checks.push(checker.check({ path, block, maxIssues: 3 }))
    }
    return Promise.all(checks)
  })
  return Promise.all(found)
}

describe("checking blocks on threads", () => {
  it("gives the same result as on the calling thread", async () => {
    const checkers = createRowCheckers(metadata)
    const here: Pick<BlockChecker, "check"> = {
      check: async ({ path, block, maxIssues }) =>
        checkBlock(block, { checker: checkers.forPath(path), maxIssues, finder: createNumberFinder() }),
    }
    expect(await tallies(blockChecker(metadata))).toEqual(await tallies(here))
  })

  it("gives back the memory of the blocks", async () => {
    const threaded = blockChecker({})
    const { size } = threaded.buffers
    const bytes = new Uint8Array(new ArrayBuffer(size))
    const block = {
      bytes,
      bounds: new Uint32Array(),
      head: { encoding: "lines" },
      maxRowBytes: 1,
      rowIndex: 0,
      line: 1,
      offset: 0,
    } as const
    await threaded.check({ path: "a.jsonl", block, maxIssues: 0 })
    expect(bytes.buffer.byteLength).toBe(0)
    expect(threaded.buffers.take().buffer).not.toBe(bytes.buffer)
  })
})
